"""What each request of a bot may hold: the fields with their types and ranges, once for each thing.

What one field does not tell (sums, duplicates, what excludes what, the order of options) is checked
by `messages`, `components` and `commands`.
Sources: https://discord.com/developers/docs, the references of components, messages, application
commands and of interactions' answers.
"""

from bot.sandbox.rules.kinds import (
    ByType,
    Digits,
    Either,
    Fields,
    Kind,
    Many,
    Moment,
    NotEmulated,
    Snowflake,
    Table,
    Text,
    Truth,
    Whole,
)

ROW, BUTTON, STRING_SELECT, TEXT_INPUT = 1, 2, 3, 4
SECTION, TEXT, GALLERY, SEPARATOR, CONTAINER, LABEL = 9, 10, 12, 14, 17, 18
MAX_COMPONENTS = 40
MAX_TEXT = 4000

# components

_ID = Whole(low=0, high=2**31 - 1)
_EMOJI = Fields(of={"id": Snowflake(), "name": Text(low=0, high=32), "animated": Truth()})
_CUSTOM_ID = Text(low=1, high=100)
_OPTION = Fields(
    of={
        "label": Text(low=1, high=100, needed=True),
        "value": Text(low=1, high=100, needed=True),
        "description": Text(low=0, high=100),
        "emoji": _EMOJI,
        "default": Truth(),
    }
)
_SPOILER = NotEmulated(what="Spoilers")
_ITEM = Fields(
    of={
        "media": Fields(of={"url": Text(needed=True)}, needed=True),
        "description": Text(low=0, high=1024),
        "spoiler": _SPOILER,
    }
)


def _part(**of: Kind) -> Fields:
    """A component of one type. Its type was looked at by then."""
    return Fields(of={"id": _ID, **of})


_PARTS: dict[int, Kind] = {
    BUTTON: _part(
        style=Whole(choices=(1, 2, 3, 4), needed=True),  # of Discord's six: no links, no shop
        label=Text(low=0, high=80),
        emoji=_EMOJI,
        custom_id=_CUSTOM_ID,
        url=NotEmulated(what="Links"),
        disabled=Truth(),
    ),
    STRING_SELECT: _part(
        custom_id=_CUSTOM_ID,
        placeholder=Text(low=0, high=150),
        options=Many(of=_OPTION, low=1, high=25, needed=True),
        min_values=Whole(low=0, high=25),
        max_values=Whole(low=1, high=25),
        disabled=Truth(),
        required=Truth(),
    ),
    TEXT_INPUT: _part(
        custom_id=_CUSTOM_ID,
        style=Whole(choices=(1, 2), needed=True),
        min_length=Whole(low=0, high=MAX_TEXT),
        max_length=Whole(low=1, high=MAX_TEXT),
        required=Truth(),
        value=Text(low=0, high=MAX_TEXT),
        placeholder=Text(low=0, high=100),
        label=NotEmulated(what="Labels of inputs that are in no label"),
    ),
    TEXT: _part(content=Text(low=1, high=MAX_TEXT, needed=True)),
    GALLERY: _part(items=Many(of=_ITEM, low=1, high=10, needed=True)),
    SEPARATOR: _part(divider=Truth(), spacing=Whole(choices=(1, 2))),
}


def _one_of(*types: int, needed: bool = False) -> ByType:
    return ByType(of={one: _PARTS[one] for one in types}, needed=needed)


_PARTS[ROW] = _part(components=Many(of=_one_of(BUTTON, STRING_SELECT), needed=True))
_PARTS[SECTION] = _part(
    components=Many(of=_one_of(TEXT), low=1, high=3, needed=True),
    accessory=_one_of(BUTTON, needed=True),
)
_IN_CONTAINER = (ROW, SECTION, TEXT, GALLERY, SEPARATOR)
_PARTS[CONTAINER] = _part(
    components=Many(of=_one_of(*_IN_CONTAINER), low=1, high=MAX_COMPONENTS, needed=True),
    accent_color=Whole(low=0, high=0xFFFFFF),
    spoiler=_SPOILER,
)

COMPONENTS = Many(of=_one_of(*_IN_CONTAINER, CONTAINER))

# messages

ALLOWED_MENTIONS = Fields(
    of={
        "parse": Many(of=Text(), high=3),
        "users": Many(of=Snowflake(), high=100),
        "roles": Many(of=Snowflake(), high=100),
        "replied_user": Truth(),
    }
)
_ATTACHMENT = Fields(
    of={
        "id": Snowflake(needed=True),
        "filename": Text(low=0, high=1024),
        "description": Text(low=0, high=1024),
    }
)
_MESSAGE: dict[str, Kind] = {
    "content": Text(low=0, high=2000),
    "embeds": NotEmulated(what="Embeds"),
    "flags": Whole(low=0),
    "components": COMPONENTS,
    "attachments": Many(of=_ATTACHMENT, high=10),
    "allowed_mentions": ALLOWED_MENTIONS,
    "tts": NotEmulated(what="Messages read aloud"),
    "sticker_ids": NotEmulated(what="Stickers"),
    "poll": NotEmulated(what="Polls"),
}

MESSAGE = Fields(
    of=_MESSAGE
    | {
        "nonce": Either(number=Whole(), text=Text(low=0, high=25)),
        "enforce_nonce": Truth(),
        "message_reference": NotEmulated(what="Replies"),
    }
)
EDIT = ANSWER = Fields(of=_MESSAGE)

# forms

MODAL = Fields(
    of={
        "title": Text(low=1, high=45, needed=True),
        "custom_id": Text(low=1, high=100, needed=True),
        "components": Many(
            of=ByType(
                of={
                    TEXT: _PARTS[TEXT],
                    LABEL: _part(
                        label=Text(low=1, high=45, needed=True),
                        description=Text(low=0, high=100),
                        component=_one_of(TEXT_INPUT, STRING_SELECT, needed=True),
                    ),
                }
            ),
            low=1,
            high=5,
            needed=True,
        ),
    },
    needed=True,
)

# answers to interactions


def _listed(value: Kind, *, needed: bool = False) -> Many:
    """What is offered for an option whose values are of that kind."""
    choice = Fields(
        of={
            "name": Text(low=1, high=100, needed=True),
            "name_localizations": Table(of=Text(low=1, high=100)),
            "value": value,
        }
    )
    return Many(of=choice, high=25, needed=needed)


def _choices(value: Kind) -> Fields:
    """The answer to an autocomplete of such an option."""
    return Fields(of={"choices": _listed(value, needed=True)}, needed=True)


SUB_COMMAND, STRING, INTEGER, USER = 1, 3, 4, 6
VALUES: dict[int, Kind] = {  # of an option that can offer some, by its type
    STRING: Text(low=1, high=100, needed=True),
    INTEGER: Whole(low=-(2**53), high=2**53, needed=True),
}
CHOICES = {option: _choices(value) for option, value in VALUES.items()}
ANY_CHOICES = _choices(Either(number=Whole(), text=Text(low=0, high=100), needed=True))

CALLBACK = ByType(
    of={
        **dict.fromkeys((4, 5, 6, 7), Fields(of={"data": ANSWER})),
        8: Fields(of={"data": ANY_CHOICES}),
        9: Fields(of={"data": MODAL}),
    }
)

# commands

_WORDS: dict[str, Kind] = {
    "name": Text(low=1, high=32, needed=True),
    "name_localizations": Table(of=Text(low=1, high=32)),
    "description": Text(low=1, high=100, needed=True),
    "description_localizations": Table(of=Text(low=1, high=100)),
}
_OPTIONS: dict[int, Kind] = {
    kind: Fields(
        of={
            **_WORDS,
            "required": Truth(),
            "choices": _listed(VALUES.get(kind, Kind())),
            "min_value": Whole(),
            "max_value": Whole(),
            "min_length": Whole(low=0, high=6000),
            "max_length": Whole(low=1, high=6000),
            "autocomplete": Truth(),
        }
    )
    for kind in (STRING, INTEGER, USER)
}
_SUB_COMMAND = Fields(of={**_WORDS, "options": Many(of=ByType(of=_OPTIONS), high=25)})
COMMAND = Fields(
    of={
        **_WORDS,
        "type": Whole(choices=(1,)),  # of Discord's three: one types it
        "id": Snowflake(),
        "options": Many(of=ByType(of={SUB_COMMAND: _SUB_COMMAND, **_OPTIONS}), high=25),
        "default_member_permissions": Snowflake(),
        "dm_permission": Truth(),
        "integration_types": Many(of=Whole(choices=(0, 1)), low=1, high=2),
        "contexts": Many(of=Whole(choices=(0, 1, 2)), low=1, high=3),
        "nsfw": Truth(),
    }
)
COMMANDS = Many(of=COMMAND)

# other requests

THREAD_EDIT = Fields(of={"archived": Truth(needed=True)})
EMOJI = Fields(of={"name": Text(low=2, high=32, needed=True), "image": Text(needed=True)})


def _event(*, needed: bool) -> Fields:
    """A scheduled event in another place (of Discord's three kinds), weekly if it is repeated."""
    return Fields(
        of={
            "name": Text(low=1, high=100, needed=needed),
            "description": Text(low=1, high=1000),
            "scheduled_start_time": Moment(needed=needed),
            "scheduled_end_time": Moment(),
            "privacy_level": Whole(choices=(2,), needed=needed),
            "entity_type": Whole(choices=(3,), needed=needed),
            "entity_metadata": Fields(
                of={"location": Text(low=1, high=100, needed=True)}, needed=needed
            ),
            "recurrence_rule": Fields(
                of={
                    "start": Moment(needed=True),
                    "frequency": Whole(choices=(2,), needed=True),
                    "interval": Whole(choices=(1, 2), needed=True),
                    "by_weekday": Many(of=Whole(low=0, high=6), low=1, high=1, needed=True),
                }
            ),
            "channel_id": NotEmulated(what="Events in a channel"),
            "image": NotEmulated(what="Pictures of events"),
            "status": NotEmulated(what="Starting an event by hand"),
        }
    )


EVENT = _event(needed=True)
EVENT_EDIT = _event(needed=False)
DIRECT_MESSAGES = Fields(of={"recipient_id": Snowflake(needed=True)})
LIST_MESSAGES = Fields(
    of={
        "limit": Digits(low=1, high=100),
        "before": Snowflake(),
        "after": NotEmulated(what="Messages after another"),
        "around": NotEmulated(what="Messages around another"),
    }
)

# what is said on the gateway

IDENTIFY = Fields(
    of={
        "token": Text(needed=True),
        "intents": Whole(low=0, needed=True),
        "properties": Fields(of={}, needed=True),
        "shard": Many(of=Whole(low=0), low=2, high=2),
        "compress": Truth(),
        "large_threshold": Whole(low=50, high=250),
        "presence": Fields(of={}),
    }
)
RESUME = Fields(
    of={"token": Text(needed=True), "session_id": Text(needed=True), "seq": Whole(low=0)}
)
