"""Python code that runs along with an experiment (ARGoS's loop functions)."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from contextlib import ExitStack
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

    def init(self, experiment: Experiment) -> None:
        """All robots are placed and their `init` has run."""

    def reset(self, experiment: Experiment) -> None:
        """The run starts over: everything is as it was before `init`, which is not called again."""

    def pre_step(self, experiment: Experiment) -> None:
        """Poses are those of this tick; the scripts have not run yet."""

    def post_step(self, experiment: Experiment) -> None:
        """The scripts of this tick have run."""

    def is_finished(self, experiment: Experiment) -> bool:
        """Asked before each tick; True ends the run."""
        return False

    def post_experiment(self, experiment: Experiment) -> None:
        """The run is over; the scripts' `destroy` has not run yet."""

    def destroy(self, experiment: Experiment) -> None:
        """The last call, whatever ended the run: all ticks, an error, Ctrl-C. Files are closed here.

        The scripts' `destroy` has run, unless an error or Ctrl-C ended the run.
        """

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
    """Calls the hooks that several objects have, in their order; errors name the person's file and line.

    A hook that none of them has is None. The run ends if any of them says so; the last floor is the one that is seen.
    """

    def __init__(self, *hooks: object) -> None:
        self._hooks = hooks
        self.init = self._each("init")
        self.reset = self._each("reset")
        self.pre_step = self._each("pre_step")
        self.post_step = self._each("post_step")
        self.post_experiment = self._each("post_experiment")
        self._destroy = self._all("destroy")
        self._finished = self._all("is_finished")
        self.is_finished = self._any_finished if self._finished else None
        floors = self._all("floor_color")
        self.floor_color = floors[-1] if floors else None
        self._names = self._all("names")

    def script_names(self, robot: RobotView, *, single: bool) -> dict[str, Value]:
        """Buzz names and values that the hooks give to a robot's script. single: see `from_python`."""
        return {name: script_value(name, value, single=single) for name, value in self.names(robot).items()}

    def names(self, robot: object) -> Mapping[str, Any]:
        """The same as plain Python."""
        names: dict[str, Any] = {}
        for hook in self._names:
            given = hook(robot)
            if not isinstance(given, Mapping):
                raise InputError.at("names", f"a mapping of names is needed, not {given!r}", kind="error in names")
            names.update(given)
        return names

    def destroy(self, experiment: Experiment) -> None:
        """Calls each once, also after one of them failed; the last error is raised in the end."""
        waiting, self._destroy = self._destroy, []
        with ExitStack() as calls:
            for one in reversed(waiting):
                calls.callback(one, experiment)

    def _any_finished(self, experiment: Experiment) -> bool:
        return any(finished(experiment) for finished in self._finished)

    def _each(self, name: str) -> Callable[[Experiment], None] | None:
        calls = self._all(name)

        def call(experiment: Experiment) -> None:
            for one in calls:
                one(experiment)

        return call if calls else None

    def _all(self, name: str) -> list[Callable[..., Any]]:
        methods = [getattr(hooks, name, None) for hooks in self._hooks]
        return [
            _explaining(method, name)
            for method in methods
            if method is not None and getattr(method, "__func__", None) is not getattr(Hooks, name)
        ]


def _explaining(method: Callable[..., Any], name: str) -> Callable[..., Any]:
    """The same, with errors that name the line in its file."""

    file = inspect.getsourcefile(inspect.unwrap(method)) or "hooks"

    def call(*arguments: Any) -> Any:
        with explained(file, name):
            return method(*arguments)

    return call


def script_value(name: str, value: Any, *, single: bool = False) -> Value:
    """A Buzz value from Python data in which functions may stand; they become functions of the script."""
    if callable(value):
        return host_function(name, arity(value), _plain_call(value, single))
    if isinstance(value, Mapping):
        items = {key: script_value(f"{name}.{key}", item, single=single) for key, item in value.items()}
        return from_python(items, single=single)
    try:
        return from_python(value, single=single)
    except (TypeError, OverflowError) as fault:
        raise InputError.at(name, f"cannot be given to a script: {fault}") from fault


def _plain_call(function: Callable[..., Any], single: bool) -> Callable[..., Value]:
    def call(*arguments: Value) -> Value:
        try:
            return from_python(function(*map(to_python, arguments)), single=single)
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
