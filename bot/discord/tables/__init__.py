"""Tables in Discord: what presses, forms and commands ask of them."""
