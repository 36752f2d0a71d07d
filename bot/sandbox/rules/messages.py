"""Limits of a whole message: embeds, files, and Components V2 against the old fields."""

from bot.sandbox.errors import ApiError, empty_message
from bot.sandbox.rules.bodies import EDIT
from bot.sandbox.rules.components import check_components
from bot.sandbox.rules.form import Form, Path
from bot.sandbox.state import COMPONENTS_V2, Json

MAX_EMBEDS_TEXT = 6000
MAX_FILES = 10
LEGACY_FIELDS = ("content", "embeds", "sticker_ids", "poll")


def check_message(message: Json, filenames: list[str], known: frozenset[str] | None = None) -> None:
    """Raise ApiError unless Discord would take the message.

    `message` holds content, embeds, components and flags as they would stand after the request;
    `filenames` are the names of all its attachments, old and new, and `known` those that
    `attachment://` may mean, if not all.
    """
    form = Form()
    EDIT.check(form, (), message)
    form.raise_if_wrong()
    v2 = bool((message.get("flags") or 0) & COMPONENTS_V2)
    files = frozenset(filenames) if known is None else known
    if v2:
        for name in LEGACY_FIELDS:
            if message.get(name):
                form.wrong(
                    (name,),
                    "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
                    f"The '{name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2",
                )
    form.length(("attachments",), filenames, 0, MAX_FILES)
    _check_embeds(form, message.get("embeds") or [], files)
    check_components(form, message.get("components") or [], v2=v2, files=files)
    form.raise_if_wrong()
    shown = ("components",) if v2 else ("content", "embeds", "components", "poll", "sticker_ids")
    if not any(message.get(name) for name in shown) and (v2 or not filenames):
        raise empty_message()


def check_file_size(size: int, limit: int) -> None:
    """Raise ApiError 413 (code 40005) for a file of more than `limit` bytes."""
    if size > limit:
        raise ApiError(413, 40005, "Request entity too large")


def _check_embeds(form: Form, embeds: list[Json], files: frozenset[str]) -> None:
    total = 0
    for n, embed in enumerate(embeds):
        total += _check_embed(form, ("embeds", n), embed, files)
    if total > MAX_EMBEDS_TEXT:
        form.wrong(
            ("embeds",),
            "MAX_EMBED_SIZE_EXCEEDED",
            f"Embed size exceeds maximum size of {MAX_EMBEDS_TEXT}",
        )


def _check_embed(form: Form, path: Path, embed: Json, files: frozenset[str]) -> int:
    """Check one embed; how many characters of it count towards the total."""
    footer, author = embed.get("footer") or {}, embed.get("author") or {}
    fields = embed.get("fields") or []
    for n, one in enumerate(fields):
        for part in ("name", "value"):
            if not one.get(part):
                form.required((*path, "fields", n, part))
    for part, holder, key in (
        ("image", embed.get("image"), "url"),
        ("thumbnail", embed.get("thumbnail"), "url"),
        ("footer", footer, "icon_url"),
        ("author", author, "icon_url"),
    ):
        url = str((holder or {}).get(key) or "")
        if url.startswith("attachment://") and url.removeprefix("attachment://") not in files:
            form.wrong(
                (*path, part, key),
                "EMBED_REFERENCED_ATTACHMENT_NOT_FOUND",
                "The referenced attachment was not found",
            )
    if not any(embed.get(k) for k in ("title", "description", "fields", "image", "thumbnail")) and (
        not footer and not author
    ):
        form.required((*path, "description"))
    counted = [embed.get("title"), embed.get("description"), footer.get("text"), author.get("name")]
    counted += [one.get(part) for one in fields for part in ("name", "value")]
    return sum(len(text or "") for text in counted)
