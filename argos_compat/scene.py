"""A whole .argos file: framework, engines, media, and what the arena holds."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from argos_compat.controllers import Controllers
from argos_compat.entities import Entities
from argos_compat.files import Files, given_scripts
from argos_compat.nodes import Document, Node
from argos_compat.overrides import override, put_in, resize
from argos_compat.robots import KNOWN_ELSEWHERE, LEFT_OUT, OTHER_ROBOTS
from argos_compat.xml_tree import decode, parse
from pybuzz.errors import Diagnostic, InputError
from pybuzz.experiment.plan import Arena, Distribution, Item, Light, Physics, Plan, Radio, Robot
from pybuzz.faults import Faults
from pybuzz.invocation import command_with
from pybuzz.settings import ReadSettings, buzz_globals
from pybuzz.spelling import did_you_mean

__all__ = ["read"]


def read(path: str | os.PathLike[str], settings: ReadSettings | None = None) -> tuple[Plan, tuple[Diagnostic, ...]]:
    """The experiment of an .argos file, and the warnings about it.

    Raises InputError with every fault of the file, each at its line and column.
    """
    settings = settings or ReadSettings()
    file = os.fspath(path)
    try:
        text = decode(Path(file).read_bytes(), file) if settings.text is None else settings.text
    except OSError as error:
        raise InputError.at(file, f"cannot be read: {error.strerror}", kind="missing file") from None
    faults = Faults(file, text)
    _check_substitutes(settings.substitute)
    root = parse(text, faults)
    if settings.robots:
        put_in(root, settings.robots, faults)
    override(root, settings.sets, faults)
    if settings.robots is not None:
        resize(root, settings.robots, faults)
    document = Document(faults, root)
    scene = _Scene(document.node(root), Path(file).parent, file, settings)
    plan = scene.plan(file)
    document.close()
    if not faults.errors and plan.hooks is None and not any(map(_has_robots, plan.items)):
        scene.tell_of_no_robots()
    return plan, faults.settle(strict=settings.strict)


def _check_substitutes(substitute: Mapping[str, str]) -> None:
    for kind, other in substitute.items():
        place = f"--substitute {kind}={other}"
        if kind not in OTHER_ROBOTS and not (other == LEFT_OUT and kind in KNOWN_ELSEWHERE):
            known = ", ".join(sorted(OTHER_ROBOTS))
            hint = did_you_mean(kind, OTHER_ROBOTS) or f"robots that can be replaced: {known}"
            if kind in KNOWN_ELSEWHERE:
                hint = f"{kind}={LEFT_OUT} leaves it out"
            raise InputError.at(place, f"a {kind} cannot be replaced", kind="unknown robot", hint=hint)
        if other not in ("kheperaiv", LEFT_OUT):
            text = f"there is no {other} here that could stand in"
            raise InputError.at(place, text, kind="unknown robot", hint=f"write {kind}=kheperaiv, or {kind}={LEFT_OUT}")


class _Scene:
    """The sections of one file, each read once."""

    def __init__(self, root: Node, folder: Path, file: str, settings: ReadSettings) -> None:
        self._root = root
        self._settings = settings
        self._media = self._read_media()
        nodes = self._controller_nodes()
        self._files = Files(folder, file, given_scripts(settings.scripts, nodes), several=len(nodes) > 1)
        self._controllers = Controllers(
            nodes, self._files, self._media_kinds(), settings.substitute, buzz_globals(settings.sets)
        )

    def plan(self, source: str) -> Plan:
        ticks_per_second, ticks, seed = self._framework()
        arena_node = self._root.child("arena", required=True)
        arena, items = self._arena(arena_node)
        hooks = self._loop_functions()
        if shown := self._root.child("visualization"):
            shown.ignore_content()
        return Plan(
            source, arena, items, self._controllers.read, ticks_per_second, ticks,
            seed if self._settings.seed is None else self._settings.seed,
            self._physics(any(not isinstance(item, Light) for item in items)), self._radio(), hooks=hooks, argos=True,
        )  # fmt: skip

    # -- framework -----------------------------------------------------------------------------------------------

    def _framework(self) -> tuple[int, int | None, int | None]:
        framework = self._root.child("framework", required=True)
        if framework is None:
            return 10, None, None
        for name in ("system", "profiling"):
            if ignored := framework.child(name):
                ignored.ignore_content()
        experiment = framework.child("experiment", required=True)
        if experiment is None:
            return 10, None, None
        rate = experiment.whole("ticks_per_second", least=1)
        ticks = int(experiment.number("length", 0.0, least=0) * rate)
        seed = experiment.whole("random_seed", 0)
        experiment.boolean("real_time", False)
        return rate, ticks or None, seed or None

    def _loop_functions(self) -> str | None:
        """The Python class that the file names as FILE.py:NAME; None, with a warning, if they are C++."""
        node = self._root.child("loop_functions")
        if node is None:
            return None
        library, label = node.text("library", ""), node.text("label", "")
        node.ignore_content()
        if not library.endswith(".py"):
            what = f"'{library}' (label '{label}')" if library else "the code of these loop functions"
            node.warn("not supported", f"{what} is C++ and does not run here: the run goes on without it",
                      hint='a Python class does the same: library="my_functions.py" label="MyClass", or '
                      "--hooks my_functions.py:MyClass; the usual jobs need no code: --with extras.yaml")  # fmt: skip
            return None
        file = self._files.find(node, "library", library, "Python file")
        if file is None:
            return None
        return f"{file}:{label}" if label else str(file)

    def tell_of_no_robots(self) -> None:
        arena = self._root.child("arena")
        assert arena is not None
        why = "there are no robots"
        if self._root.child("loop_functions"):
            why += ": if the C++ code of the loop functions places them, nobody does it here"
        command = command_with("--robots", "10", file=arena.file)
        arena.warn("no robots", why, hint=f"put some anywhere in the arena: {command}; or add a <distribute> with "
                   "<kheperaiv> to <arena>, or call experiment.add in a hook's init: --hooks FILE.py:NAME")  # fmt: skip

    # -- controllers and media -----------------------------------------------------------------------------------

    def _controller_nodes(self) -> dict[str, Node]:
        section = self._root.child("controllers", required=True)
        found: dict[str, Node] = {}
        for node in section.children() if section else []:
            name = node.text("id")
            if name in found:
                node.fault_in("id", f"'{name}' is the id of the controller of line {found[name].element.line} already",
                              kind="duplicate id")  # fmt: skip
            node.ignore_children("actuators", "sensors", "params")
            node.ignore("library")
            found.setdefault(name, node)
        return found

    def _read_media(self) -> list[Node]:
        section = self._root.child("media", required=True)
        found: dict[str, Node] = {}
        for node in section.children() if section else []:
            name = node.text("id")
            if name in found:
                node.fault_in("id", f"'{name}' is the id of the medium of line {found[name].element.line} already",
                              kind="duplicate id")  # fmt: skip
            found.setdefault(name, node)
            self._check_medium(node)
        return list(found.values())

    @staticmethod
    def _check_medium(node: Node) -> None:
        node.ignore("grid_size")
        if node.tag == "range_and_bearing":
            node.boolean("check_occlusions", True)
            node.choice("index", ("grid", "dummy"), "grid")
        elif node.tag == "led":
            node.choice("index", ("grid",), "grid")
        else:
            node.ignore_content()
            node.warn("not supported", f"a <{node.tag}> medium is left out: nothing of a Khepera IV uses it")

    def _media_kinds(self) -> dict[str, str]:
        return {node.text("id"): node.tag for node in self._media}

    def _radio(self) -> Radio:
        networks = [node for node in self._media if node.tag == "range_and_bearing"]
        for second in networks[1:]:
            second.fault("not supported", "a second radio network: all robots share one here", hint="remove it")
        return Radio(networks[0].boolean("check_occlusions", True)) if networks else Radio()

    # -- engines -------------------------------------------------------------------------------------------------

    def _physics(self, needed: bool) -> Physics:
        section = self._root.child("physics_engines", required=True)
        engines = section.children() if section else []
        flat = [node for node in engines if node.tag == "dynamics2d"]
        for node in engines:
            node.text("id", None if node.tag == "dynamics2d" else "")
            if node.tag != "dynamics2d":
                node.ignore_content()
                node.warn("not supported", f"<{node.tag}> is left out: a Khepera IV lives in <dynamics2d>")
        if section and needed and not flat:
            section.fault("missing element", "there is no <dynamics2d> engine to hold the bodies of the arena",
                          hint='add <dynamics2d id="dyn2d"/> to it')  # fmt: skip
        for second in flat[1:]:
            second.ignore_content()
            second.warn("not supported", "a second <dynamics2d>: all bodies go into the first one")
        return _engine(flat[0]) if flat else Physics()

    # -- arena ---------------------------------------------------------------------------------------------------

    def _arena(self, node: Node | None) -> tuple[Arena, tuple[Item, ...]]:
        if node is None:
            return Arena((1.0, 1.0, 1.0)), ()
        arena = Arena(node.point("size", above=0), node.point("center", (0.0, 0.0, 0.0)))
        drawing = self._root.child("loop_functions")
        drawn = drawing is not None and not drawing.text("library", "").endswith(".py")
        return arena, Entities(self._controllers, self._settings.substitute, drawn).read(node)


def _has_robots(item: Item) -> bool:
    return isinstance(item.template if isinstance(item, Distribution) else item, Robot)


def _engine(node: Node) -> Physics:
    node.ignore("gripping_rigidity")
    if node.number("elevation", 0.0) != 0:
        node.fault_in("elevation", "the ground is at z = 0 here; an elevation is not supported", kind="not supported")
    for tag, text in (
        ("spatial_hash", "the spatial hash is left out; it could only change the order of contacts"),
        ("boundaries", "boundaries are left out: the one engine has no end"),
    ):
        if child := node.child(tag):
            child.ignore_content()
            child.warn("not supported", text)
    friction = node.child("friction")
    values = [
        friction.number(name, 1.49, least=0) if friction else 1.49
        for name in (
            "box_linear_friction", "box_angular_friction", "cylinder_linear_friction", "cylinder_angular_friction",
        )
    ]  # fmt: skip
    return Physics(node.whole("iterations", 10, least=1, most=1000), *values)
