"""Schemas of the bot's requests: the fields with their types and ranges, each defined once.

`components` and `commands` check what involves several fields: sums, duplicates, exclusions, the
order of options. Sources: https://discord.com/developers/docs, the references of components,
messages, application commands, and answers to interactions.
"""

from bot.sandbox.rules.json_schema import (
    Array,
    Boolean,
    ByType,
    Digits,
    Either,
    Integer,
    Map,
    NotEmulated,
    Object,
    Schema,
    Snowflake,
    String,
    Timestamp,
)

ROW, BUTTON, STRING_SELECT, TEXT_INPUT = 1, 2, 3, 4
SECTION, TEXT, GALLERY, SEPARATOR, CONTAINER, LABEL = 9, 10, 12, 14, 17, 18
MAX_COMPONENTS = 40
MAX_TEXT = 4000

# components

_ID = Integer(low=0, high=2**31 - 1)
_EMOJI = Object(of={"id": Snowflake(), "name": String(low=0, high=32), "animated": Boolean()})
_CUSTOM_ID = String(low=1, high=100)
_OPTION = Object(
    of={
        "label": String(low=1, high=100, needed=True),
        "value": String(low=1, high=100, needed=True),
        "description": String(low=0, high=100),
        "emoji": _EMOJI,
        "default": Boolean(),
    }
)
_SPOILER = NotEmulated(name="Spoilers")
_ITEM = Object(
    of={
        "media": Object(of={"url": String(needed=True)}, needed=True),
        "description": String(low=0, high=1024),
        "spoiler": _SPOILER,
    }
)


def _part(**of: Schema) -> Object:
    """Return the schema of a component whose type has already been checked."""
    return Object(of={"id": _ID, **of})


_TEXT_INPUT: dict[str, Schema] = {
    "custom_id": _CUSTOM_ID,
    "style": Integer(choices=(1, 2), needed=True),
    "min_length": Integer(low=0, high=MAX_TEXT),
    "max_length": Integer(low=1, high=MAX_TEXT),
    "required": Boolean(),
    "value": String(low=0, high=MAX_TEXT),
    "placeholder": String(low=0, high=100),
}
_PARTS: dict[int, Schema] = {
    BUTTON: _part(
        style=Integer(
            choices=(1, 2, 3, 4), needed=True
        ),  # of Discord's six styles: no links, no shop
        label=String(low=0, high=80),
        emoji=_EMOJI,
        custom_id=_CUSTOM_ID,
        url=NotEmulated(name="Links"),
        disabled=Boolean(),
    ),
    STRING_SELECT: _part(
        custom_id=_CUSTOM_ID,
        placeholder=String(low=0, high=150),
        options=Array(of=_OPTION, low=1, high=25, needed=True),
        min_values=Integer(low=0, high=25),
        max_values=Integer(low=1, high=25),
        disabled=Boolean(),
        required=Boolean(),
    ),
    TEXT_INPUT: _part(**_TEXT_INPUT, label=NotEmulated(name="A label in a label")),
    TEXT: _part(content=String(low=1, high=MAX_TEXT, needed=True)),
    GALLERY: _part(items=Array(of=_ITEM, low=1, high=10, needed=True)),
    SEPARATOR: _part(divider=Boolean(), spacing=Integer(choices=(1, 2))),
}


def _one_of(*types: int, needed: bool = False) -> ByType:
    return ByType(of={kind: _PARTS[kind] for kind in types}, needed=needed)


_PARTS[ROW] = _part(components=Array(of=_one_of(BUTTON, STRING_SELECT), needed=True))
_PARTS[SECTION] = _part(
    components=Array(of=_one_of(TEXT), low=1, high=3, needed=True),
    accessory=_one_of(BUTTON, needed=True),
)
_IN_CONTAINER = (ROW, SECTION, TEXT, GALLERY, SEPARATOR)
_PARTS[CONTAINER] = _part(
    components=Array(of=_one_of(*_IN_CONTAINER), low=1, high=MAX_COMPONENTS, needed=True),
    accent_color=Integer(low=0, high=0xFFFFFF),
    spoiler=_SPOILER,
)

COMPONENTS = Array(of=_one_of(*_IN_CONTAINER, CONTAINER))

# messages

ALLOWED_MENTIONS = Object(
    of={
        "parse": Array(of=String(), high=3),
        "users": Array(of=Snowflake(), high=100),
        "roles": Array(of=Snowflake(), high=100),
        "replied_user": Boolean(),
    }
)
_ATTACHMENT = Object(
    of={
        "id": Snowflake(needed=True),
        "filename": String(low=0, high=1024),
        "description": String(low=0, high=1024),
    }
)
_MESSAGE: dict[str, Schema] = {
    "content": String(low=0, high=2000),
    "embeds": NotEmulated(name="Embeds"),
    "flags": Integer(low=0),
    "components": COMPONENTS,
    "attachments": Array(of=_ATTACHMENT, high=10),
    "allowed_mentions": ALLOWED_MENTIONS,
    "tts": NotEmulated(name="Messages read aloud"),
    "sticker_ids": NotEmulated(name="Stickers"),
    "poll": NotEmulated(name="Polls"),
}

MESSAGE = Object(
    of=_MESSAGE
    | {
        "nonce": Either(number=Integer(), text=String(low=0, high=25)),
        "enforce_nonce": Boolean(),
        "message_reference": NotEmulated(name="Replies"),
    }
)
EDIT = ANSWER = Object(of=_MESSAGE)

# forms

_LABEL = String(low=1, high=45, needed=True)
_ROW_INPUT = ByType(of={TEXT_INPUT: _part(**_TEXT_INPUT, label=_LABEL)})
MODAL = Object(
    of={
        "title": String(low=1, high=45, needed=True),
        "custom_id": String(low=1, high=100, needed=True),
        "components": Array(
            of=ByType(
                of={
                    TEXT: _PARTS[TEXT],
                    # older than labels, but some client libraries still send rows
                    ROW: _part(components=Array(of=_ROW_INPUT, low=1, high=1, needed=True)),
                    LABEL: _part(
                        label=_LABEL,
                        description=String(low=0, high=100),
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


def _choice_list(value: Schema, *, needed: bool = False) -> Array:
    """Return the schema of an option's choices; `value` is the schema of a choice's value."""
    choice = Object(
        of={
            "name": String(low=1, high=100, needed=True),
            "name_localizations": Map(of=String(low=1, high=100)),
            "value": value,
        }
    )
    return Array(of=choice, high=25, needed=needed)


def _choices(value: Schema) -> Object:
    """Return the schema of an autocomplete's answer; `value` is the schema of a choice's value."""
    return Object(of={"choices": _choice_list(value, needed=True)}, needed=True)


CHAT_INPUT, MESSAGE_MENU = 1, 3  # commands: typed ones, and those in a message's menu
SUB_COMMAND, STRING, INTEGER, USER = 1, 3, 4, 6
VALUES: dict[int, Schema] = {  # by an option's type, if it can offer choices
    STRING: String(low=1, high=100, needed=True),
    INTEGER: Integer(low=-(2**53), high=2**53, needed=True),
}
CHOICES = {option: _choices(value) for option, value in VALUES.items()}
ANY_CHOICES = _choices(Either(number=Integer(), text=String(low=0, high=100), needed=True))

CALLBACK = ByType(
    of={
        **dict.fromkeys((4, 5, 6, 7), Object(of={"data": ANSWER})),
        8: Object(of={"data": ANY_CHOICES}),
        9: Object(of={"data": MODAL}),
    }
)

# commands

_WORDS: dict[str, Schema] = {
    "name": String(low=1, high=32, needed=True),
    "name_localizations": Map(of=String(low=1, high=32)),
    "description": String(low=1, high=100, needed=True),
    "description_localizations": Map(of=String(low=1, high=100)),
}
_OPTIONS: dict[int, Schema] = {
    kind: Object(
        of={
            **_WORDS,
            "required": Boolean(),
            "choices": _choice_list(VALUES.get(kind, Schema())),
            "min_value": Integer(),
            "max_value": Integer(),
            "min_length": Integer(low=0, high=6000),
            "max_length": Integer(low=1, high=6000),
            "autocomplete": Boolean(),
        }
    )
    for kind in (STRING, INTEGER, USER)
}
_SUB_COMMAND = Object(of={**_WORDS, "options": Array(of=ByType(of=_OPTIONS), high=25)})
_COMMAND: dict[str, Schema] = {
    "type": Integer(choices=(CHAT_INPUT, MESSAGE_MENU)),  # of Discord's four
    "id": Snowflake(),
    "default_member_permissions": Snowflake(),
    "dm_permission": Boolean(),
    "integration_types": Array(of=Integer(choices=(0, 1)), low=1, high=2),
    "contexts": Array(of=Integer(choices=(0, 1, 2)), low=1, high=3),
    "nsfw": Boolean(),
}
COMMAND = ByType(
    of={
        CHAT_INPUT: Object(
            of={
                **_WORDS,
                **_COMMAND,
                "options": Array(of=ByType(of={SUB_COMMAND: _SUB_COMMAND, **_OPTIONS}), high=25),
            }
        ),
        MESSAGE_MENU: Object(
            of={
                "name": _WORDS["name"],
                "name_localizations": _WORDS["name_localizations"],
                "description": String(low=0, high=0),
                "options": Array(of=Schema(), low=0, high=0),
                **_COMMAND,
            }
        ),
    },
    default=CHAT_INPUT,
    code="BASE_TYPE_CHOICES",
)
COMMANDS = Array(of=COMMAND)

# other requests

THREAD = Object(
    of={
        "name": String(low=1, high=100, needed=True),
        "auto_archive_duration": Integer(choices=(60, 1440, 4320, 10080)),
        "rate_limit_per_user": Integer(low=0, high=21600),
    }
)
THREAD_EDIT = Object(of={"archived": Boolean(needed=True)})
EMOJI = Object(of={"name": String(low=2, high=32, needed=True), "image": String(needed=True)})


def _event(*, needed: bool) -> Object:
    """Return the schema of a scheduled event outside Discord: once, weekly or fortnightly."""
    return Object(
        of={
            "name": String(low=1, high=100, needed=needed),
            "description": String(low=1, high=1000),
            "scheduled_start_time": Timestamp(needed=needed),
            "scheduled_end_time": Timestamp(),
            "privacy_level": Integer(choices=(2,), needed=needed),
            "entity_type": Integer(choices=(3,), needed=needed),
            "entity_metadata": Object(
                of={"location": String(low=1, high=100, needed=True)}, needed=needed
            ),
            "recurrence_rule": Object(
                of={
                    "start": Timestamp(needed=True),
                    "frequency": Integer(choices=(2,), needed=True),
                    "interval": Integer(choices=(1, 2), needed=True),
                    "by_weekday": Array(of=Integer(low=0, high=6), low=1, high=1, needed=True),
                }
            ),
            "channel_id": NotEmulated(name="Events in a channel"),
            "image": NotEmulated(name="Pictures of events"),
            "status": NotEmulated(name="Starting an event by hand"),
        }
    )


EVENT = _event(needed=True)
EVENT_EDIT = _event(needed=False)
DIRECT_MESSAGES = Object(of={"recipient_id": Snowflake(needed=True)})
LIST_MESSAGES = Object(
    of={
        "limit": Digits(low=1, high=100),
        "before": Snowflake(),
        "after": Snowflake(),
        "around": NotEmulated(name="Messages around another"),
    }
)

# messages to the gateway

IDENTIFY = Object(
    of={
        "token": String(needed=True),
        "intents": Integer(low=0, needed=True),
        "properties": Object(of={}, needed=True),
        "shard": Array(of=Integer(low=0), low=2, high=2),
        "compress": Boolean(),
        "large_threshold": Integer(low=50, high=250),
        "presence": Object(of={}),
    }
)
RESUME = Object(
    of={"token": String(needed=True), "session_id": String(needed=True), "seq": Integer(low=0)}
)
