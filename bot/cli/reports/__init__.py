"""Tables and charts that only the command line shows."""
