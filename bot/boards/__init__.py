"""What messages say, as plain data. `bot.discord.layout` makes components of it."""
