"""Route each press and form to the one method that answers it.

A class of handlers marks its methods with the verbs of the custom ids they answer (`ids`). So a new
button needs one marked method, and a board that shows the button. Old messages keep their verbs for
good: if you rename a verb, mark its method with both.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import structlog

from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.delivery.delivery import TableDelivery
from bot.discord.errors import MOVED_ON
from bot.discord.press import Press
from bot.language.catalogues import tr

log = structlog.get_logger(__name__)

_ROUTES: Final = "_routes"  # the attribute of a marked method
Handler = Callable[[Interaction, Press], Awaitable[None]]
M = TypeVar("M", bound=Callable[[Any, Interaction, Press], Awaitable[None]])


@dataclass(frozen=True, slots=True)
class _Route:
    verb: str
    form: bool = False
    looks: bool = False


def on_press(*verbs: str, looks: bool = False) -> Callable[[M], M]:
    """Mark the method that answers the buttons and lists with these verbs.

    `looks`: the method only reads or computes something, so `fair_use` counts the press.
    """
    return _mark([_Route(verb, looks=looks) for verb in verbs])


def on_form(*verbs: str) -> Callable[[M], M]:
    """Mark the method that answers the submitted forms with these verbs."""
    return _mark([_Route(verb, form=True) for verb in verbs])


def _mark(routes: list[_Route]) -> Callable[[M], M]:
    def mark(method: M) -> M:
        method.__dict__.setdefault(_ROUTES, []).extend(routes)
        return method

    return mark


class Router:
    """Passes presses and forms to the marked methods of `handlers`.

    `refuse` answers if a method raises an error. The constructor raises `ValueError` if two methods
    answer the same verb.
    """

    def __init__(
        self,
        delivery: TableDelivery,
        refuse: Callable[[Interaction, Press, Exception], Awaitable[None]],
        handlers: Iterable[object],
    ) -> None:
        self._delivery = delivery
        self._refuse = refuse
        self.presses: dict[str, Handler] = {}
        self.forms: dict[str, Handler] = {}
        looks = set()
        for instance in handlers:
            for name, member in vars(type(instance)).items():
                for route in getattr(member, _ROUTES, ()):
                    known = self.forms if route.form else self.presses
                    _add(known, route.verb, getattr(instance, name))
                    if route.looks:
                        looks.add(route.verb)
        self.looks = frozenset(looks)

    async def handle(self, interaction: Interaction, press: Press, *, submitted: bool) -> None:
        """Call the method for a press or, if `submitted`, a form; if it fails, call `refuse`.

        If no method answers the verb, say that the table has moved on. If another process has
        answered, don't call `refuse`.
        """
        handler = (self.forms if submitted else self.presses).get(press.verb)
        if handler is None:
            await answers.reply_privately(interaction, tr(MOVED_ON))
            return
        table, seats = press.address.table, self._delivery.seats
        seats.remember(table, interaction)
        try:
            await handler(interaction, press)
        except answers.AnsweredElsewhere:
            log.info("handlers: another process has answered", table=table)
        except Exception as error:
            await self._refuse(interaction, press, error)
        finally:
            self._delivery.tokens.remember(interaction)
            seats.drop_token(table, interaction.user.id)


def _add(handlers: dict[str, Handler], verb: str, handler: Any) -> None:
    earlier: Any = handlers.setdefault(verb, handler)
    if earlier is not handler:
        raise ValueError(
            f"two methods answer {verb!r}: {earlier.__qualname__} and {handler.__qualname__}"
        )
