"""The proxy for an address, from HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY."""

from __future__ import annotations

import ipaddress
import re
import urllib.request
from typing import Any, Final
from urllib.parse import unquote

import yarl

_environment: Final[Any] = urllib.request  # its stubs lack functions that exist on every platform
_AS: Final = {"ws": "http", "wss": "https"}
_SPOKEN: Final = ("http", "https")
_AUTH: Final = re.compile(r"^(?:[a-z0-9]+://)?[^/@:]*:([^/]+)@")
EXAMPLE: Final = "http://proxy.example:3128"


class UnusableProxy(ValueError):
    """The environment names an unusable proxy. `str()` is a sentence for the host."""


def proxy_for(address: str | yarl.URL) -> str | None:
    """Return the proxy for an address, or None for a direct connection. Raises `UnusableProxy`.

    This machine itself is always reached directly. The result may contain user and password, as the
    HTTP library expects; show it only through `without_password`.
    """
    url = yarl.URL(address)
    if _is_here(url.host or ""):
        return None
    scheme = _AS.get(url.scheme, url.scheme)
    proxies = _environment.getproxies_environment()
    named = next((name for name in (scheme, "all") if proxies.get(name)), None)
    if named is None or _environment.proxy_bypass_environment(f"{url.host}:{url.port}", proxies):
        return None
    variable, written = f"{named.upper()}_PROXY", proxies[named]
    try:
        proxy = yarl.URL(written if "://" in written else f"http://{written}")
        usable = proxy.scheme in _SPOKEN and bool(proxy.host) and proxy.port is not None
    except ValueError:
        usable = False
    if not usable:
        socks = written.lower().startswith("socks")
        kind = "a SOCKS proxy, which isn't supported" if socks else "a proxy that can't be used"
        raise UnusableProxy(
            f"{variable} names {kind}: expected one that speaks HTTP, for"
            f" example {variable}={EXAMPLE}"
        )
    return str(proxy.with_path("/"))


def passwords() -> tuple[str, ...]:
    """Return the passwords of the environment's proxies, which no log line may contain."""
    matches = (_AUTH.search(url) for url in _environment.getproxies_environment().values())
    written = [match[1] for match in matches if match is not None]
    return tuple(dict.fromkeys([*written, *map(unquote, written)]))


def without_passwords(text: str) -> str:
    """Return a text, such as an error's, with `***` in place of the proxies' passwords."""
    for password in passwords():
        text = text.replace(password, "***")
    return text


def without_password(proxy: str) -> str:
    """Return a proxy's address without user and password."""
    return str(yarl.URL(proxy).origin())


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
