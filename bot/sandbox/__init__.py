"""The local Discord: an emulator over real sockets, and a page to play in. Needs no other room."""
