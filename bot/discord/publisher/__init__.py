"""How a table is shown: the life of its message, and of the reminder below it.

*Born.* A deal, a showdown, a lobby and the end of a match are news: each is a new message. Where a
press at the table has caused them it is the answer to that press, which Discord takes once (`offer`
in `publisher`). Else it is posted under a nonce made of what is stored, so that a try that was
taken without our hearing of it finds its message instead of a second one (`messages.nonce_of`). The
message before becomes a record of what was. Which message shows the table is stored with how much
of the match it tells.

*Redrawn.* Whatever else changes a table redraws its message from the latest stored state; changes
meanwhile join. By whose token that is done, a press's or the bot's, `carriers` alone decides.
A press is answered by that drawing itself, so nothing more is sent for it, but
where an older drawing is on its way: it may arrive last, so another follows it. What Discord does
not take for now is tried again; what it refuses is not, until the table changes (`publisher`).

*Brought down.* `/table`, and whoever opens a channel again, has the table shown further down. The
message above says where it is (`messages`). A message that can be edited no more is posted anew.

*Lost, and found.* A process that is killed leaves messages of which nothing is stored. After a
start every table that may be behind is drawn anew (`resuming`; a checkpoint has stored which are
not), its channel is looked through for messages that show it (`messages.Orphans`), and the lowest
of them is its own from then on.

*Reminded.* Who is to act is pinged by a message that goes with their turn (`reminders`).

What a table's message says is chosen in `messages` and made in `bot.boards.table`. Private seats
are `bot.discord.seats`: the publisher tells them when the table's message is there, as they stand
below it.
"""
