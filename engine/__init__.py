"""The rules kernel and the odds: pure functions over frozen values, usable without the bot."""
