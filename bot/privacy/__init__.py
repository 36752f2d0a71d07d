"""Data about people: the document that `export` builds, and the results of deleting."""
