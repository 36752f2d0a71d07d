"""The image's root file system as a container engine would run it: `python -m tests.image ROOT`."""
