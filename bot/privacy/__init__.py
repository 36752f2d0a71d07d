"""What is kept of people and servers, shown to them and forgotten: `service` and `housekeeping`.

Storage does the work, by the protocol in `ports`; `export` makes what a person is shown.
"""
