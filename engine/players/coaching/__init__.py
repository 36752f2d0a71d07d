"""The coach: how good a decision in a finished match was, given what its player could know."""
