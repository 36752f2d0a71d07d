"""The local Discord: an emulator over real sockets, with a page to play in. Independent of the bot."""
