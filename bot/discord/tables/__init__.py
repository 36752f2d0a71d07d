"""Answer presses, forms and commands about tables in Discord."""
