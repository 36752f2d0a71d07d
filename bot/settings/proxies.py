"""Which proxy leads to an address, as HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY say."""

from __future__ import annotations

import ipaddress
import re
import urllib.request
from typing import Any, Final
from urllib.parse import unquote

import yarl

_environment: Final[Any] = urllib.request  # its stubs leave out what is there on every platform
_AS: Final = {"ws": "http", "wss": "https"}
_SPOKEN: Final = ("http", "https")
_AUTH: Final = re.compile(r"^(?:[a-z0-9]+://)?[^/@:]*:([^/]+)@")
EXAMPLE: Final = "http://proxy.example:3128"


class NoSuchProxy(ValueError):
    """The environment names a proxy that cannot be used; `str()` is a sentence for the host."""


def proxy_for(address: str | yarl.URL) -> str | None:
    """The proxy by which an address is asked; None: it is asked itself. Raises `NoSuchProxy`.

    This machine itself never is asked by one. A user and a password stand in the proxy's address,
    as the HTTP library wants them; `without_password` is for being shown.
    """
    url = yarl.URL(address)
    if _is_here(url.host or ""):
        return None
    scheme = _AS.get(url.scheme, url.scheme)
    found = _environment.getproxies_environment()
    named = next((one for one in (scheme, "all") if found.get(one)), None)
    if named is None or _environment.proxy_bypass_environment(f"{url.host}:{url.port}", found):
        return None
    variable, written = f"{named.upper()}_PROXY", found[named]
    try:
        proxy = yarl.URL(written if "://" in written else f"http://{written}")
        usable = proxy.scheme in _SPOKEN and bool(proxy.host) and proxy.port is not None
    except ValueError:
        usable = False
    if not usable:
        socks = written.lower().startswith("socks")
        kind = "a SOCKS proxy, which isn't supported" if socks else "a proxy that can't be used"
        raise NoSuchProxy(
            f"{variable} names {kind}: expected one that speaks HTTP, for"
            f" example {variable}={EXAMPLE}"
        )
    return str(proxy.with_path("/"))


def passwords() -> tuple[str, ...]:
    """What no line may hold of the proxies that the environment names."""
    found = (_AUTH.search(written) for written in _environment.getproxies_environment().values())
    written = [one[1] for one in found if one is not None]
    return tuple(dict.fromkeys([*written, *map(unquote, written)]))


def without_passwords(text: str) -> str:
    """A text, such as an error's, with `***` where a proxy's password stood."""
    for one in passwords():
        text = text.replace(one, "***")
    return text


def without_password(proxy: str) -> str:
    """A proxy's address as it may be shown."""
    return str(yarl.URL(proxy).origin())


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
