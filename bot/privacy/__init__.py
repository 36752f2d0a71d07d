"""Stored data of people and servers, shown to them and forgotten: `service` and `housekeeping`.

Storage does the work, by the protocols in `ports`; `export` builds the document for a person.
"""
