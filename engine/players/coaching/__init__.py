"""The coach: what a decision of a match that is over was worth, by what its player could know."""
