"""Every name that a script may find on a Khepera IV, for the checker; `Bindings` gives them their values."""

from __future__ import annotations

from pybuzz.buzz.signatures import HostNames, Signature
from pybuzz.khepera.body import SENSORS

__all__ = ["signatures"]

_NUMBERS = ("number",)
_INTEGERS = ("integer",)

_FUNCTIONS = {
    "set_wheels": Signature(2, 2, _NUMBERS, portable=("float",)),
    "gotop": Signature(2, 2, _NUMBERS),
    "goto": Signature(2, 2, _NUMBERS),
    "gotoc": Signature(2, 2, _NUMBERS),
    "set_leds": Signature(3, 3, _NUMBERS, portable=_INTEGERS),
    "log": Signature(0, None),
    "debug.print": Signature(0, None),
    "debug.set_color": Signature(3, 3, _INTEGERS),
    "debug.rays.add": Signature(6, 9, ("integer", "integer", "integer", "number"),
                                portable=("integer", "integer", "integer", "float")),
    "debug.rays.clear": Signature(0, 0),
    "debug.trajectory.enable": Signature(0, 4, _INTEGERS),
    "debug.trajectory.disable": Signature(0, 0),
    "debug.trajectory.clear": Signature(0, 0),
}  # fmt: skip


_QUEUE = frozenset({"debug.msgqueue", *(f"debug.msgqueue.{kind}" for kind in ("total", "broadcast", "vstig", "swarm"))})


def signatures() -> HostNames:
    """Functions with what they take, and tables, of a robot that carries every device."""
    return HostNames(_FUNCTIONS, frozenset((*SENSORS, "controller")), _QUEUE)
