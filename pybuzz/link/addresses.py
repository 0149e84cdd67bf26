"""Where a robot is reached: the URLs of a fleet file, and what time-outs each kind of line needs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import parse_qs, urlsplit

__all__ = ["Address", "host_and_port", "parse_address"]

Kind = Literal["tcp", "serial", "bluetooth", "rfc2217"]

_SHORT_PORT: Final = re.compile(r"COM[0-9]+", re.IGNORECASE)
_KNOWN: Final = "tcp://HOST:PORT, serial:///dev/NAME?baud=115200, rfc2217://HOST:PORT, /dev/NAME or COM5"


@dataclass(frozen=True, slots=True)
class Address:
    """One line to a robot.

    port: what pyserial opens, a device's name or one of its URLs. timeout_s: for one reply. lost_after_s: without a
    valid reply for so long the link counts as lost. period_s: the shortest control period that the line can keep.
    """

    text: str
    kind: Kind
    port: str
    baud: int = 115200

    @property
    def timeout_s(self) -> float:
        return 1.0 if self.kind == "bluetooth" else 0.3

    @property
    def lost_after_s(self) -> float:
        return 1.5 if self.kind == "bluetooth" else 0.5

    @property
    def period_s(self) -> float:
        return 0.3 if self.kind == "bluetooth" else 0.1

    @property
    def endpoint(self) -> tuple[str, int] | None:
        """Host and port, if it is reached through a network."""
        return host_and_port(self.port) if self.kind in ("tcp", "rfc2217") and self.port else None

    def __str__(self) -> str:
        return self.text


def parse_address(text: str) -> Address:
    """The address that a link's URL means. Raises ValueError with what is wrong and what would be right."""
    if _SHORT_PORT.fullmatch(text) or text.startswith("/"):
        return _serial(text, text, {})
    parts = urlsplit(text)
    options = {name: values[-1] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
    if parts.scheme == "tcp":
        host, port = host_and_port(text)
        return Address(text, "tcp", f"socket://{host}:{port}")
    if parts.scheme == "serial":
        if parts.netloc and parts.path:
            raise ValueError(f"'{text}' needs a third slash: serial:///{parts.netloc}{parts.path}")
        return _serial(text, parts.path or parts.netloc, options)
    if parts.scheme == "rfc2217":
        host_and_port(text)
        return Address(text, "rfc2217", text)
    raise ValueError(f"'{text}' is no link; known: {_KNOWN}")


def host_and_port(text: str, *, example: int = 7000) -> tuple[str, int]:
    """Host and port of a URL. Raises ValueError if one is missing, with a port as an example."""
    parts = urlsplit(text)
    try:
        port = parts.port
    except ValueError:
        port = None
    if not parts.hostname or port is None:
        scheme = parts.scheme if "://" in text else "tcp"  # Of a:7000, a would be the scheme.
        raise ValueError(f"'{text}' needs a host and a port, for example {scheme}://khepera1:{example}")
    return f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname, port


def _serial(text: str, device: str, options: dict[str, str]) -> Address:
    unknown = sorted(set(options) - {"baud"})
    if unknown:
        raise ValueError(f"'{text}' has the option '{unknown[0]}'; a serial link knows only baud")
    if not device:
        raise ValueError(f"'{text}' names no device, for example serial:///dev/rfcomm0?baud=115200")
    baud = options.get("baud", "115200")
    if not baud.isdecimal() or not 300 <= int(baud) <= 4_000_000:
        raise ValueError(f"'{text}': baud={baud} is not a bit rate, for example 115200")
    return Address(text, "bluetooth" if "rfcomm" in device else "serial", device, int(baud))
