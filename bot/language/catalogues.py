"""The bot's languages: their texts, words of bids, and numbers.

A language is one folder in `bot/locales` without code: `bids.toml` (words to say and to understand
bids; see `engine.vocabulary`) and `LC_MESSAGES/bluffhouse.po` (a gettext catalogue, read without
compiling it). English needs none: its texts are in the code. How to add one: docs/languages.md.

`tr`, `trn` and `trc` mark texts and translate them into the current language. The current language
is a context variable, because one press draws a table for its channel and a seat for its person:
code that draws a message builds its board inside `with speaking(...)`, and never awaits there. A
press or a command begins in its person's language. Logs and the command line are in English.
"""

from __future__ import annotations

import gettext as catalogues
import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from engine.errors import TextError
from engine.vocabulary import ENGLISH as ENGLISH_VOCABULARY
from engine.vocabulary import Vocabulary, vocabulary_of

LOCALES: Final = Path(__file__).parents[1] / "locales"
CATALOGUE: Final = "LC_MESSAGES/bluffhouse.po"
BIDS: Final = "bids.toml"
ENGLISH: Final = "en"


@dataclass(frozen=True, eq=False)
class Language:
    """A language of the bot. `key` names its folder, such as `pl`; `name` is in that language.

    `decimal` and `group` are the separators in numbers: 1,234.5 in English. `percent` has the
    texts before and after a percentage: "" and "%" in English, with a space in some languages.
    """

    key: str
    name: str
    vocabulary: Vocabulary
    catalogue: catalogues.NullTranslations
    decimal: str = "."
    group: str = ","
    percent: tuple[str, str] = ("", "%")

    @property
    def code(self) -> str:
        """The language as Discord's locales are written: `pl`, `pt-BR`."""
        return self.key.replace("_", "-")


def _warn(event: str, **facts: str) -> None:
    import structlog  # a command that answers in English need not wait for this import

    structlog.get_logger(__name__).warning(event, **facts)


def _languages() -> tuple[str, ...]:
    folders = (entry.name for entry in LOCALES.iterdir() if (entry / BIDS).is_file())
    return (ENGLISH, *sorted(folders))


KEYS: Final = _languages()  # of every language, English first


@lru_cache
def language(key: str) -> Language:
    """Return the language with this key; English for an unknown key.

    Also return English if the language's folder can't be read, and log what is wrong.
    """
    if key in KEYS and key != ENGLISH:
        try:
            return read_language(key)
        except TextError as error:
            _warn("languages: one is left out", language=key, reason=str(error))
    return Language(ENGLISH, "English", ENGLISH_VOCABULARY, catalogues.NullTranslations())


@lru_cache
def vocabulary(key: str) -> Vocabulary:
    """Return a language's words for bids; its other texts would take a quarter of a second to read.

    For an unknown key, and for words that can't be read, return the English words.
    """
    if key not in KEYS or key == ENGLISH:
        return ENGLISH_VOCABULARY
    try:
        return vocabulary_of(key, _bids_document(key))
    except ValueError:
        return language(key).vocabulary


def read_language(key: str) -> Language:
    """Read a language from its folder in `bot/locales`.

    Raises `TextError`, whose text says what is wrong in the folder, and OSError if the folder has
    no `bids.toml`.
    """
    from babel import Locale, UnknownLocaleError
    from babel.messages.pofile import PoFileError
    from babel.numbers import get_decimal_symbol, get_group_symbol

    try:
        locale = Locale.parse(key)
        pattern = locale.percent_formats[None]
        return Language(
            key,
            name_of(key),
            vocabulary_of(key, _bids_document(key)),
            _catalogue(key),
            decimal=get_decimal_symbol(locale),
            group=get_group_symbol(locale),
            percent=(pattern.prefix[0], pattern.suffix[0]),
        )
    except (ValueError, UnknownLocaleError) as error:
        if isinstance(error, TextError):
            raise
        reason = f"{key} is not the key of a language, or {BIDS} is no TOML: {error}"
        raise TextError(key, reason, "pl, pt_BR") from error
    except PoFileError as error:
        raise TextError(key, f"{CATALOGUE} of {key}: {error}", 'msgid "Leave"') from error


def name_of(key: str) -> str:
    """Return the language's name for itself, such as "English".

    If its `bids.toml` can't be parsed or has no name, return its key.
    """
    if key == ENGLISH:
        return "English"
    import tomllib  # a command that answers in English needs neither this import nor a Formatter

    try:
        return str(_bids_document(key).get("name", key))
    # when the language is used, it falls back to English with a line in the log
    except tomllib.TOMLDecodeError:
        return key


@lru_cache
def by_locale(locale: str) -> Language:
    """Return the language for a Discord locale (`pl`, `pt-BR`).

    If the bot lacks the locale, return another regional form of its language, or else English.
    """
    wanted_key = locale.replace("-", "_")
    if wanted_key in KEYS:
        return language(wanted_key)
    alike = (key for key in KEYS if key.partition("_")[0] == wanted_key.partition("_")[0])
    return language(next(alike, ENGLISH))


@lru_cache
def _bids_document(key: str) -> dict[str, Any]:
    import tomllib

    return tomllib.loads((LOCALES / key / BIDS).read_text("utf-8"))


def _catalogue(key: str) -> catalogues.NullTranslations:
    """Return a language's texts, except those with a field that the English text lacks."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    path = LOCALES / key / CATALOGUE
    if not path.is_file():
        return catalogues.NullTranslations()
    with path.open("rb") as file:
        read = read_po(file, locale=key, abort_invalid=True)
    for message in list(read):
        english, texts = several(message.id), several(message.string or "")
        if message.id and not all(fields_of(text) <= fields_of(*english) for text in texts):
            _warn("languages: a text is left in English", language=key, text=english[0])
            read.delete(message.id, message.context)
    compiled = io.BytesIO()
    write_mo(compiled, read)
    compiled.seek(0)
    return catalogues.GNUTranslations(compiled)


def several(text: str | Sequence[str]) -> tuple[str, ...]:
    """Return a catalogue's text as a tuple: one text, or its plural forms."""
    return (text,) if isinstance(text, str) else tuple(text)


def fields_of(*texts: str) -> frozenset[str]:
    """Return the fields between the braces of some texts; only "{" if any brace is unpaired."""
    from string import Formatter

    try:
        parts = [part for text in texts for part in Formatter().parse(text)]
    except ValueError:
        return frozenset("{")
    return frozenset(
        f"{field}{'!' + conversion if conversion else ''}{':' + spec if spec else ''}"
        for _, field, spec, conversion in parts
        if field is not None
    )


# -- the current language --------------------------------------------------------------------------

_IN_ENGLISH: Final = language(ENGLISH)
_spoken: ContextVar[Language] = ContextVar("spoken", default=_IN_ENGLISH)


def spoken() -> Language:
    """Return the current language."""
    return _spoken.get()


def speak(key: str) -> None:
    """Set the current language of this task."""
    _spoken.set(language(key))


@contextmanager
def speaking(key: str) -> Iterator[None]:
    """Set the current language inside the block, which must not await."""
    token = _spoken.set(language(key))
    try:
        yield
    finally:
        _spoken.reset(token)


def tr(text: str, /, **values: object) -> str:
    """Translate a text into the current language and fill in its fields."""
    translated = _spoken.get().catalogue.gettext(text)
    return translated.format(**values) if values else translated


def trn(one: str, several: str, number: int, /, **values: object) -> str:
    """Translate a text in its form for `number`, and fill in its fields, `{number}` included."""
    translated = _spoken.get().catalogue.ngettext(one, several, number)
    return translated.format(number=number, **values)


def trc(context: str, text: str, /, **values: object) -> str:
    """Translate a text whose English is the same in several contexts; `context` says which."""
    translated = _spoken.get().catalogue.pgettext(context, text)
    return translated.format(**values) if values else translated


def N_(text: str) -> str:  # noqa: N802 - as gettext calls it everywhere
    """Mark a text for the catalogues and return it unchanged; `tr` translates it later."""
    return text


def percent_text(number: str) -> str:
    """Add the current language's percent sign to a number: 21.9%, 21,9%."""
    before, behind = _spoken.get().percent
    return f"{before}{number}{behind}"


def figure(number: float, form: str) -> str:
    """Format a number by a format spec, such as `.1f` or `,`, in the current language."""
    tongue = _spoken.get()
    signs = {",": tongue.group, ".": tongue.decimal}
    return "".join(signs.get(char, char) for char in format(number, form))
