"""Who wins a showdown, and how often: hands, ranges, boards, in the games of `games`."""
