"""Python code that runs along with an experiment (ARGoS's loop functions)."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from pybuzz.buzz.tables import from_python, to_python
from pybuzz.buzz.values import BuzzFailure, Value, host_function
from pybuzz.errors import InputError
from pybuzz.spelling import did_you_mean
from pybuzz.user_code import explained, load_module

if TYPE_CHECKING:
    from pybuzz.experiment.experiment import Experiment
    from pybuzz.experiment.robots import RobotView

__all__ = ["HookRunner", "Hooks", "arity", "load_function", "load_hooks", "script_value", "split_target"]

Color = tuple[float, float, float]


class Hooks:
    """Subclass this and override what is needed; `pybuzz run --hooks FILE.py:NAME` finds the class by its name.

    The order in a tick: physics and radio, `pre_step`, the robots' scripts, `post_step`.
    """

    def start(self, experiment: Experiment) -> None:
        """All robots are placed and their `init` has run."""

    def pre_step(self, experiment: Experiment) -> None:
        """Poses are those of this tick; the scripts have not run yet."""

    def post_step(self, experiment: Experiment) -> None:
        """The scripts of this tick have run."""

    def is_finished(self, experiment: Experiment) -> bool:
        """Asked before each tick; True ends the run."""
        return False

    def finish(self, experiment: Experiment) -> None:
        """The run is over; the scripts' `destroy` has not run yet."""

    def floor_color(self, x: float, y: float) -> Color:
        """Red, green, blue in 0..255 of the floor at x, y in m. Overriding it paints the floor."""
        return 255.0, 255.0, 255.0

    def names(self, robot: RobotView) -> Mapping[str, Any]:
        """More globals for this robot's script: Python functions, numbers, strings, and mappings of them.

        Asked once per robot before its script's code outside functions runs. Functions take and return plain Python
        data; raising ValueError stops the script with its message.
        """
        return {}


_HOOKS = tuple(name for name in vars(Hooks) if not name.startswith("_"))


def load_hooks(target: str | Path) -> object:
    """The hooks that FILE.py:NAME stands for: a class is instantiated, anything else taken as it is.

    Without NAME the file must define just one subclass of Hooks. Raises InputError.
    """
    file, name = split_target(str(target))
    module = load_module(file)
    found = _only_hooks(module, file) if not name else getattr(module, name, None)
    if found is None:
        hint = did_you_mean(name, vars(module)) or ""
        raise InputError.at(file, f"there is no '{name}' in it", hint=hint)
    with explained(file, name):
        hooks = found() if inspect.isclass(found) else found
    if not any(hasattr(hooks, hook) for hook in _HOOKS):
        raise InputError.at(file, f"'{name}' has no hook", hint=f"define one of {', '.join(_HOOKS)}")
    return hooks


def load_function(target: str, usual: str) -> Any:
    """What FILE.py:NAME stands for; NAME is `usual` if it is not given.

    Raises InputError if there is no such file or name.
    """
    file, name = split_target(target, "Python is given as FILE.py:NAME")
    module = load_module(file)
    name = name or usual
    if not hasattr(module, name):
        raise InputError.at(file, f"there is no '{name}' in it", hint=did_you_mean(name, vars(module)) or "")
    return getattr(module, name)


class HookRunner:
    """Calls the hooks that a person's object has; errors name the person's file and line."""

    def __init__(self, hooks: object | None) -> None:
        self._hooks = hooks
        self.pre_step = self._hook("pre_step")
        self.post_step = self._hook("post_step")
        self.is_finished = self._hook("is_finished")
        self.start = self._hook("start")
        self.finish = self._hook("finish")
        self.floor_color = self._hook("floor_color")
        self._names = self._hook("names")

    def script_names(self, robot: RobotView) -> dict[str, Value]:
        """Buzz names and values that the hooks give to a robot's script."""
        return {name: script_value(name, value) for name, value in self.names(robot).items()}

    def names(self, robot: object) -> Mapping[str, Any]:
        """The same as plain Python."""
        given = self._names(robot) if self._names is not None else {}
        if not isinstance(given, Mapping):
            raise InputError.at("names", f"a mapping of names is needed, not {given!r}", kind="error in names")
        return given

    def _hook(self, name: str) -> Callable[..., Any] | None:
        method = getattr(self._hooks, name, None)
        if method is None or getattr(method, "__func__", None) is getattr(Hooks, name):
            return None

        def call(*arguments: Any) -> Any:
            with explained(inspect.getsourcefile(inspect.unwrap(method)) or "hooks", name):
                return method(*arguments)

        return call


def script_value(name: str, value: Any) -> Value:
    """A Buzz value from Python data in which functions may stand; they become functions of the script."""
    if callable(value):
        return host_function(name, arity(value), _plain_call(value))
    if isinstance(value, Mapping):
        return from_python({key: script_value(f"{name}.{key}", item) for key, item in value.items()})
    try:
        return from_python(value)
    except (TypeError, OverflowError) as fault:
        raise InputError.at(name, f"cannot be given to a script: {fault}") from fault


def _plain_call(function: Callable[..., Any]) -> Callable[..., Value]:
    def call(*arguments: Value) -> Value:
        try:
            return from_python(function(*map(to_python, arguments)))
        except (ValueError, TypeError, OverflowError) as fault:
            raise BuzzFailure("type mismatch", str(fault)) from fault

    return call


def arity(function: Callable[..., Any]) -> tuple[int, int | None]:
    """The least and most arguments of a Python function; None: any number."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:  # some functions of C do not say
        return 0, None
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    least = sum(parameter.default is parameter.empty for parameter in positional)
    return least, None if any(p.kind is p.VAR_POSITIONAL for p in parameters) else len(positional)


def split_target(target: str, hint: str = "hooks are given as FILE.py:NAME") -> tuple[str, str]:
    """FILE.py and NAME, which may be empty. Raises InputError if there is no such file."""
    file, colon, name = target.rpartition(":")
    if not colon or not file.endswith(".py"):
        file, name = target, ""
    if not Path(file).is_file():
        raise InputError.at(file, "there is no such Python file", hint=hint)
    return file, name


def _only_hooks(module: ModuleType, file: str) -> type:
    own = [one for one in vars(module).values() if inspect.isclass(one) and issubclass(one, Hooks) and one is not Hooks]
    if len(own) != 1:
        names = ", ".join(one.__name__ for one in own) or "none"
        raise InputError.at(file, f"one subclass of Hooks was expected, there is {names}", hint="give FILE.py:NAME")
    return own[0]
