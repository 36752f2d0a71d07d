"""Private seats: a person's cards and their pad, in a message that only they see.

`seats` are ephemeral messages at the table, edited and sent anew by the token of a press that is
not older than fifteen minutes. `direct` are direct messages, for who has chosen so: the bot may
edit them for ever, and it is noted whose cards have come. Both keep themselves up to date by
`following`.
"""
