"""The one place that inputs go through: any bytes, as a script or as a packet, and what may come of them.

`run_input` answers with an outcome or raises what should never have left: everything but ScriptError and InputError.
It uses nothing but the public seams, so any fuzzer can drive it.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

from pybuzz.buzz import Program, compile_program
from pybuzz.errors import InputError, ScriptError
from pybuzz.swarm.mind import Mind
from pybuzz.swarm.packets import Packet

CORPUS = Path(__file__).parent / "corpus"
BUDGET = 2000
DATA_SIZE = 200

Kind = Literal["script", "single script", "packet", "single packet"]
KINDS: tuple[Kind, ...] = ("script", "single script", "packet", "single packet")


def run_input(kind: Kind, data: bytes) -> str:
    """Puts an input through all that follows it. Gives "refused", "failed" or "ran".

    script   compiled; if that succeeds its global part, `init` and two `step`s run
    packet   heard twice, together with a second one of the same sender, by the robots of every listening script
    single   the same in single precision
    """
    single = kind.startswith("single")
    return _run_script(data, single=single) if kind.endswith("script") else _run_packet(data, single=single)


def new_mind(program: Program, number: int) -> Mind:
    """A robot that has run its global part and `init`."""
    machine = program.new_machine(number, log=lambda values: None, budget=BUDGET)
    mind = Mind(machine, number, data_size=DATA_SIZE, log_oversize=lambda *report: None)
    mind.start()
    mind.init()
    return mind


def _run_script(data: bytes, *, single: bool) -> str:
    text = data.decode("latin-1")
    # Without these two a robot would end before it has listened to anything.
    text += "".join(f"\nfunction {name}() {{}}" for name in ("init", "step") if f"function {name}" not in text)
    try:
        program = compile_program("input.bzz", text, single_precision=single)
    except (ScriptError, InputError):
        return "refused"
    mind = new_mind(program, 1)
    heard = Packet(b"\0\2")
    for _ in range(2):
        mind.hear([heard], [100.0], [0.5], [0.0])
        mind.step()
        heard = Packet(b"\0\2" + mind.packet().data[2:])
    mind.destroy()
    return _outcome(mind)


def _run_packet(data: bytes, *, single: bool) -> str:
    packets = [Packet(data), Packet(data[:2] + data[4:])]
    outcomes = []
    for program in _listening(single=single):
        mind = new_mind(program, 1)
        assert mind.error is None, f"{program.path} fails by itself: {mind.error}"
        for _ in range(2):
            mind.hear(packets, [100.0, 50.0], [0.5, -0.5], [0.0, 0.1])
            mind.step()
        assert len(mind.packet().data) <= DATA_SIZE, "an answer fits into a packet"
        outcomes.append(_outcome(mind))
    return "failed" if "failed" in outcomes else "ran"


def _outcome(mind: Mind) -> str:
    if mind.error is None:
        return "ran"
    assert mind.error.diagnostics[0].kind != "host error", f"the host's code failed: {mind.error}"
    assert str(mind.error).strip(), "an error says something"
    return "failed"


@cache
def _listening(*, single: bool) -> list[Program]:
    """The programs that packets are given to: the corpus files whose names begin with `listening`."""
    paths = sorted(CORPUS.glob("listening*.bzz"))
    return [compile_program(path, single_precision=single) for path in paths]
