"""What runs here and not, or differently, with the C tools: checks of the tree."""

from __future__ import annotations

from collections.abc import Iterator

from pybuzz.buzz.checks.study import Finding, Study
from pybuzz.buzz.tree import Block, Field, FunctionDefinition, Lambda, Node, Return, VarDeclaration

__all__ = [
    "file_level_blocks",
    "include_twice",
    "library_faults",
    "script_form",
    "shadowing_parameters",
    "unbraced_variables",
]


def shadowing_parameters(study: Study) -> Iterator[Finding]:
    """A lambda's parameter with the name of a visible local: the C compiler takes the outer one."""
    for node in study.nodes:
        if not isinstance(node, Lambda):
            continue
        visible = set(_visible(study, node))
        for parameter in node.parameters:
            if parameter.name in visible:
                text = f"the parameter '{parameter.name}' hides a local; the C compiler reads the outer one instead"
                yield Finding("portable-shadowing", parameter.span, text, "choose another name")


def _visible(study: Study, node: Node) -> Iterator[str]:
    """The names of the locals that are visible where a node stands."""
    inner = node
    for outer in study.above(node):
        if isinstance(outer, Block) and (outer.braced or study.function(outer) is not None):
            for statement in outer.statements:
                if isinstance(statement, VarDeclaration) and statement is not inner:
                    yield statement.name
                if statement is inner:
                    if isinstance(inner, VarDeclaration):
                        yield inner.name
                    break
        elif isinstance(outer, (Lambda, FunctionDefinition)):
            yield from (parameter.name for parameter in outer.parameters)
            if isinstance(outer, FunctionDefinition):
                return
        inner = outer


def file_level_blocks(study: Study) -> Iterator[Finding]:
    """Variables and lambdas with parameters in braces outside functions."""
    for node in study.nodes:
        is_lambda = isinstance(node, Lambda) and node.parameters
        if not (is_lambda or isinstance(node, VarDeclaration)) or study.function(node) is not None:
            continue
        if not any(isinstance(outer, Block) and outer.braced for outer in study.above(node)):
            continue
        if is_lambda:
            text = "in braces outside functions the C compiler mixes up the parameters of this function"
            yield Finding("portable-file-level-lambda", node.span, text, "put the block into a function")
        else:
            text = "a variable declared in braces outside functions crashes the C tools"
            yield Finding("portable-file-level-variable", node.span, text, "put the block into a function, or drop var")


def unbraced_variables(study: Study) -> Iterator[Finding]:
    """`if(c) var x = 1` in a function."""
    for node in study.nodes:
        block = study.parents.get(node)
        if isinstance(node, VarDeclaration) and isinstance(block, Block) and not block.braced and study.function(node):
            text = "a declaration as body without braces breaks the C compiler's layout of variables"
            yield Finding("portable-unbraced-variable", node.span, text, "put it in braces, or before the statement")


def library_faults(study: Study) -> Iterator[Finding]:
    """Functions of the standard includes that do something else in the C tools."""
    faults = {
        "arrows.run": "in the C tools every node of an arrows chain runs the first function",
        "math.matrix.transpose": "in the C tools math.matrix.transpose() also logs a matrix of zeros",
    }
    for node in study.nodes:
        text = faults.get(study.path(node)) if isinstance(node, Field) and not study.is_target(node) else None
        if text:
            yield Finding("portable-library", node.span, text)


def script_form(study: Study) -> Iterator[Finding]:
    """Empty scripts, and `return` outside functions."""
    if not study.script.statements:
        yield Finding("portable-empty-script", study.script.span, "the C tools fail to run an empty script")
    for node in study.nodes:
        if isinstance(node, Return) and study.function(node) is None:
            yield Finding("portable-return", node.span, "a return outside functions crashes the C tools")


def include_twice(study: Study) -> Iterator[Finding]:
    """A file that one file includes twice: the C compiler takes it twice."""
    for token in study.repeated:
        text = f"'{token.value}' was included before; the C compiler takes it a second time, which resets what it sets"
        yield Finding("portable-include", token.span, text)
