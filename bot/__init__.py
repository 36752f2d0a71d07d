"""The Bluffhouse bot: everything that touches Discord, the database, the clock and the screen."""
