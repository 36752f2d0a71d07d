"""What each request of a bot may hold: the fields with their types and ranges, once for each thing.

What one field does not tell (sums, duplicates, what excludes what, the order of options) is checked
by `messages`, `components`, `modals` and `commands`.
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
    Number,
    Snowflake,
    Table,
    Text,
    Truth,
    Whole,
)

ROW, BUTTON, STRING_SELECT, TEXT_INPUT = 1, 2, 3, 4
SECTION, TEXT, THUMBNAIL, GALLERY, FILE, SEPARATOR, CONTAINER = 9, 10, 11, 12, 13, 14, 17
LABEL, FILE_UPLOAD, RADIO_GROUP, CHECKBOX_GROUP, CHECKBOX = 18, 19, 21, 22, 23
SELECTS = (3, 5, 6, 7, 8)
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
_MEDIA = Fields(of={"url": Text(needed=True)}, needed=True)


def _part(**of: Kind) -> Fields:
    """A component of one type. Its type was looked at by then."""
    return Fields(of={"id": _ID, **of})


def _select(**more: Kind) -> Fields:
    return _part(
        custom_id=_CUSTOM_ID,
        placeholder=Text(low=0, high=150),
        min_values=Whole(low=0, high=25),
        max_values=Whole(low=1, high=25),
        disabled=Truth(),
        required=Truth(),
        default_values=Many(
            of=Fields(of={"id": Snowflake(needed=True), "type": Text(low=1, high=7, needed=True)})
        ),
        **more,
    )


_SELECT = _select(channel_types=Many(of=Whole(low=0)))
_TEXT_INPUT = {
    "custom_id": _CUSTOM_ID,
    "style": Whole(choices=(1, 2), needed=True),
    "min_length": Whole(low=0, high=MAX_TEXT),
    "max_length": Whole(low=1, high=MAX_TEXT),
    "required": Truth(),
    "value": Text(low=0, high=MAX_TEXT),
    "placeholder": Text(low=0, high=100),
    "label": Text(low=0, high=45),
}

_PARTS: dict[int, Kind] = {
    BUTTON: _part(
        style=Whole(choices=(1, 2, 3, 4, 5, 6), needed=True),
        label=Text(low=0, high=80),
        emoji=_EMOJI,
        custom_id=_CUSTOM_ID,
        sku_id=Snowflake(),
        url=Text(low=0, high=512),
        disabled=Truth(),
    ),
    **dict.fromkeys(SELECTS, _SELECT),
    STRING_SELECT: _select(options=Many(of=_OPTION, low=1, high=25, needed=True)),
    TEXT_INPUT: _part(**_TEXT_INPUT),
    TEXT: _part(content=Text(low=1, high=MAX_TEXT, needed=True)),
    THUMBNAIL: _part(media=_MEDIA, description=Text(low=0, high=1024), spoiler=Truth()),
    GALLERY: _part(
        items=Many(
            of=Fields(
                of={"media": _MEDIA, "description": Text(low=0, high=1024), "spoiler": Truth()}
            ),
            low=1,
            high=10,
            needed=True,
        )
    ),
    FILE: _part(file=_MEDIA, spoiler=Truth()),
    SEPARATOR: _part(divider=Truth(), spacing=Whole(choices=(1, 2))),
    FILE_UPLOAD: _part(
        custom_id=_CUSTOM_ID,
        min_values=Whole(low=0, high=10),
        max_values=Whole(low=1, high=10),
        required=Truth(),
    ),
    RADIO_GROUP: _part(
        custom_id=_CUSTOM_ID,
        options=Many(of=_OPTION, low=2, high=10, needed=True),
        required=Truth(),
    ),
    CHECKBOX_GROUP: _part(
        custom_id=_CUSTOM_ID,
        options=Many(of=_OPTION, low=1, high=10, needed=True),
        min_values=Whole(low=0, high=10),
        max_values=Whole(low=1, high=10),
        required=Truth(),
    ),
    CHECKBOX: _part(custom_id=_CUSTOM_ID, default=Truth()),
}


def _one_of(*types: int, needed: bool = False) -> ByType:
    return ByType(of={one: _PARTS[one] for one in types}, needed=needed)


_PARTS[ROW] = _part(components=Many(of=_one_of(BUTTON, *SELECTS), needed=True))
_PARTS[SECTION] = _part(
    components=Many(of=_one_of(TEXT), low=1, high=3, needed=True),
    accessory=_one_of(BUTTON, THUMBNAIL, needed=True),
)
_IN_CONTAINER = (ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR)
_PARTS[CONTAINER] = _part(
    components=Many(of=_one_of(*_IN_CONTAINER), low=1, high=MAX_COMPONENTS, needed=True),
    accent_color=Whole(low=0, high=0xFFFFFF),
    spoiler=Truth(),
)

COMPONENTS = Many(of=_one_of(*_IN_CONTAINER, CONTAINER))

# messages

_URL = Text(low=0, high=2048)
_PICTURE = Fields(of={"url": _URL})
_EMBED = Fields(
    of={
        "title": Text(low=0, high=256),
        "type": Text(),
        "description": Text(low=0, high=4096),
        "url": _URL,
        "timestamp": Text(),
        "color": Whole(low=0, high=0xFFFFFF),
        "footer": Fields(of={"text": Text(low=1, high=2048, needed=True), "icon_url": _URL}),
        "image": _PICTURE,
        "thumbnail": _PICTURE,
        "author": Fields(
            of={"name": Text(low=1, high=256, needed=True), "url": _URL, "icon_url": _URL}
        ),
        "fields": Many(
            of=Fields(
                of={
                    "name": Text(low=0, high=256),
                    "value": Text(low=0, high=1024),
                    "inline": Truth(),
                }
            ),
            high=25,
        ),
    }
)
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
    "embeds": Many(of=_EMBED, high=10),
    "flags": Whole(low=0),
    "components": COMPONENTS,
    "attachments": Many(of=_ATTACHMENT, high=10),
    "allowed_mentions": ALLOWED_MENTIONS,
    "tts": Truth(),
    "sticker_ids": Many(of=Snowflake(), high=3),
    "poll": Fields(of={}),
}

MESSAGE = Fields(
    of=_MESSAGE
    | {
        "nonce": Either(number=Whole(), text=Text(low=0, high=25)),
        "enforce_nonce": Truth(),
        "message_reference": Fields(
            of={
                "type": Whole(choices=(0, 1)),
                "message_id": Snowflake(),
                "channel_id": Snowflake(),
                "guild_id": Snowflake(),
                "fail_if_not_exists": Truth(),
            }
        ),
    }
)
EDIT = Fields(of=_MESSAGE)
ANSWER = Fields(of=_MESSAGE)

# forms

_LABELLED = (*SELECTS, TEXT_INPUT, FILE_UPLOAD, RADIO_GROUP, CHECKBOX_GROUP, CHECKBOX)
_OLD_INPUT = _part(**_TEXT_INPUT | {"label": Text(low=1, high=45, needed=True)})
MODAL = Fields(
    of={
        "title": Text(low=1, high=45, needed=True),
        "custom_id": Text(low=1, high=100, needed=True),
        "components": Many(
            of=ByType(
                of={
                    ROW: _part(
                        components=Many(
                            of=ByType(of={TEXT_INPUT: _OLD_INPUT}), low=1, high=1, needed=True
                        )
                    ),
                    TEXT: _PARTS[TEXT],
                    LABEL: _part(
                        label=Text(low=1, high=45, needed=True),
                        description=Text(low=0, high=100),
                        component=_one_of(*_LABELLED, needed=True),
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


STRING, INTEGER, NUMBER = 3, 4, 10
VALUES: dict[int, Kind] = {  # of an option, by its type
    STRING: Text(low=1, high=100, needed=True),
    INTEGER: Whole(low=-(2**53), high=2**53, needed=True),
    NUMBER: Number(needed=True),
}
CHOICES = {option: _choices(value) for option, value in VALUES.items()}
ANY_CHOICES = _choices(Either(number=Number(), text=Text(low=0, high=100), needed=True))

CALLBACK = ByType(
    of={
        **dict.fromkeys((4, 5, 6, 7), Fields(of={"data": ANSWER})),
        1: Fields(of={}),
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


_OPTION_TYPES = range(1, 12)


def _option(deeper: Kind | None) -> ByType:
    """An option; those of a subcommand or a group hold options themselves."""
    below = {"options": Many(of=deeper, high=25)} if deeper else {}
    return ByType(
        of={
            kind: Fields(
                of={
                    **_WORDS,
                    "required": Truth(),
                    "choices": _listed(VALUES.get(kind, Kind())),
                    "channel_types": Many(of=Whole(low=0)),
                    "min_value": Whole() if kind == INTEGER else Number(),
                    "max_value": Whole() if kind == INTEGER else Number(),
                    "min_length": Whole(low=0, high=6000),
                    "max_length": Whole(low=1, high=6000),
                    "autocomplete": Truth(),
                    **below,
                }
            )
            for kind in _OPTION_TYPES
        }
    )


_COMMAND: dict[str, Kind] = {
    "type": Whole(choices=(1, 2, 3)),
    "id": Snowflake(),
    "name_localizations": _WORDS["name_localizations"],
    "description_localizations": _WORDS["description_localizations"],
    "options": Many(of=_option(_option(_option(None))), high=25),
    "default_member_permissions": Snowflake(),
    "dm_permission": Truth(),
    "integration_types": Many(of=Whole(choices=(0, 1)), low=1, high=2),
    "contexts": Many(of=Whole(choices=(0, 1, 2)), low=1, high=3),
    "nsfw": Truth(),
}
_NAME, _DESCRIPTION = Text(low=1, high=32), Text(low=0, high=100)
COMMAND = Fields(
    of=_COMMAND | {"name": Text(low=1, high=32, needed=True), "description": _DESCRIPTION}
)
COMMAND_EDIT = Fields(of=_COMMAND | {"name": _NAME, "description": _DESCRIPTION})
COMMANDS = Many(of=COMMAND)

# other requests

THREAD = Fields(
    of={
        "name": Text(low=1, high=100, needed=True),
        "type": Whole(),
        "auto_archive_duration": Whole(choices=(60, 1440, 4320, 10080)),
        "invitable": Truth(),
        "rate_limit_per_user": Whole(low=0, high=21600),
    }
)
THREAD_EDIT = Fields(of={"archived": Truth(needed=True)})
EMOJI = Fields(of={"name": Text(low=2, high=32, needed=True), "image": Text(needed=True)})
DIRECT_MESSAGES = Fields(of={"recipient_id": Snowflake(needed=True)})
LIST_MESSAGES = Fields(
    of={
        "limit": Digits(low=1, high=100),
        "before": Snowflake(),
        "after": Snowflake(),
        "around": Snowflake(),
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
