"""The coach: the worth of a decision in a finished match, by what its player could know."""
