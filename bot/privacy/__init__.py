"""Stored data of people and servers: showing and deleting it. `service` does so on request.

`housekeeping` deletes old data by itself. Storage does the work, by the protocols in `ports`;
`export` builds the document for a person.
"""
