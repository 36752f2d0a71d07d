"""The content of messages as plain data, which `bot.discord.layout` turns into components."""
