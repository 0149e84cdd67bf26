"""Checks of calls: how many arguments, of what kind, and when."""

from __future__ import annotations

from collections.abc import Iterator

from pybuzz.buzz.checks.kinds import Kinds, kinds_listed
from pybuzz.buzz.checks.study import Finding, Study
from pybuzz.buzz.operators import with_article
from pybuzz.buzz.signatures import Signature, fits
from pybuzz.buzz.tree import Expression, FunctionDefinition, Integer, Lambda, Name, Nil
from pybuzz.buzz.walking import walk

__all__ = ["argument_counts", "argument_kinds", "commands_only_in_init", "library_arguments", "script_calls"]

_STEERING = frozenset({"goto", "gotoc", "gotop"})


def argument_counts(study: Study) -> Iterator[Finding]:
    """A function of the language or the host called with a number of arguments that it refuses."""
    for node in study.calls:
        path = study.known_function(node.function)
        if not path:
            continue
        signature, given = study.known.functions[path], len(node.arguments)
        if given < signature.least or (signature.most is not None and given > signature.most):
            text = f"{path}() takes {_count(signature)}, not {given}"
            yield Finding("argument-count", node.span, text, severity="error")


def argument_kinds(study: Study, kinds: Kinds) -> Iterator[Finding]:
    """An argument of a kind that the function refuses, here or on other hosts."""
    for node in study.calls:
        path = study.known_function(node.function)
        signature = study.known.functions.get(path, Signature(0, None))
        for number, argument in enumerate(node.arguments):
            wanted = _kind(signature.kinds, number)
            # a variable that is nil at first may be anything later
            found = kinds.of(argument) - (frozenset() if isinstance(argument, Nil) else {"nil"})
            if not found or "any" in found:
                continue
            if not any(fits(kind, wanted) for kind in found):
                text = f"argument {number + 1} of {path}() must be {with_article(wanted)}, not {kinds_listed(found)}"
                yield Finding("argument-kind", argument.span, text, severity="error")
            elif signature.portable and not any(fits(kind, _kind(signature.portable, number)) for kind in found):
                yield _not_portable(path, number, argument, _kind(signature.portable, number))


def _not_portable(path: str, number: int, argument: Expression, wanted: str) -> Finding:
    text = f"argument {number + 1} of {path}() must be {with_article(wanted)} in the C tools"
    hint = ""
    if wanted == "float":
        hint = (
            f"write {argument.value}.0"
            if isinstance(argument, Integer)
            else "write it with a decimal point, or float(...)"
        )
    return Finding("portable-argument", argument.span, text, hint)


def script_calls(study: Study) -> Iterator[Finding]:
    """A function of the script called with more arguments than it takes, or without one that it reads."""
    for node in study.calls:
        path = study.path(node.function)
        function = study.functions.get(path)
        if function is None:
            continue
        takes, given = len(function.parameters), len(node.arguments)
        if given > takes and _makes_closures(function):
            text = f"{path}() takes {takes} arguments, not {given}: in the C tools its closures get wrong parameters"
            yield Finding("portable-extra-argument", node.span, text)
        elif given > takes:
            yield Finding("extra-argument", node.span, f"{path}() ignores argument {takes + 1}: it takes {takes}")
        missing = [parameter.name for parameter in function.parameters[given:]]
        read = _names(function)
        for name in missing:
            if name in read:
                text = f"{path}() reads its parameter '{name}', which is not given here"
                yield Finding("missing-argument", node.span, text)


def library_arguments(study: Study) -> Iterator[Finding]:
    """Calls that the C tools answer differently, whatever the kinds."""
    for node in study.calls:
        path, arguments = study.known_function(node.function), node.arguments
        if path == "math.rng.gaussian" and len(arguments) == 2:
            yield Finding("portable-gaussian", node.span, "the C tools take the first argument for the mean, too")
        elif path == "swarm.id" and len(arguments) == 1:
            yield Finding("portable-swarm-id", node.span, "the C tools ignore the argument of swarm.id()")
        elif path == "string.sub" and any(isinstance(a, Integer) and a.value < 0 for a in arguments[1:]):
            text = "string.sub() counts from 0; a negative position reads foreign memory in the C tools"
            yield Finding("portable-substring", node.span, text)
        for argument, wanted in zip(arguments, study.known.functions[path].kinds if path else (), strict=False):
            callback = study.known_function(argument)
            if wanted == "closure" and callback:
                text = f"a built-in function as callback, here {callback}, disturbs the C tools"
                hint = f"write function(...) {{ {callback}(...) }}"
                yield Finding("portable-callback", argument.span, text, hint)


def commands_only_in_init(study: Study) -> Iterator[Finding]:
    """Steering that follows what the robot sees stands in init() or at file level only; wheels may be set once."""
    commands = [node for node in study.calls if study.known_function(node.function) in {*_STEERING, "set_wheels"}]
    if "step" not in study.functions or not any(study.known_function(node.function) in _STEERING for node in commands):
        return
    for node in commands:
        function = study.function(node)
        if isinstance(function, Lambda) or (isinstance(function, FunctionDefinition) and function.name != "init"):
            return
    name = study.known_function(commands[0].function)
    text = f"{name}() is called before the first step only"
    yield Finding("command-only-in-init", commands[0].span, text, "call it in step(), which runs at every tick")


def _names(function: FunctionDefinition | Lambda) -> set[str]:
    return {node.name for node in walk(function.body) if isinstance(node, Name)}


def _makes_closures(function: FunctionDefinition | Lambda) -> bool:
    return any(isinstance(node, Lambda) for node in walk(function.body))


def _kind(kinds: tuple[str, ...], number: int) -> str:
    return kinds[min(number, len(kinds) - 1)]


def _count(signature: Signature) -> str:
    if signature.most is None:
        return f"{signature.least} or more arguments"
    if signature.least == signature.most:
        return f"{signature.least} argument{'' if signature.least == 1 else 's'}"
    return f"{signature.least} to {signature.most} arguments"
