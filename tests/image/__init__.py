"""The container image, built and run as a host would: `python -m tests.image`."""
