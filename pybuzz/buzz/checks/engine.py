"""Runs all checks over a script, in order of the text."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from pybuzz.buzz.checks import calls, devices, layout, names, portability, storing, values
from pybuzz.buzz.checks.kinds import Kinds
from pybuzz.buzz.checks.study import Finding, Study
from pybuzz.buzz.diagnostics import diagnostic
from pybuzz.buzz.includes import Splicer
from pybuzz.buzz.parsing import parse
from pybuzz.buzz.scopes import resolve
from pybuzz.buzz.signatures import BUILT_INS, HostNames
from pybuzz.buzz.tokens import with_roles
from pybuzz.buzz.tree import Script, Source
from pybuzz.errors import Diagnostic, ScriptError
from pybuzz.shipped import scripts_folder

__all__ = ["check_script"]

_PLAIN_CHECKS = (
    names.undefined_globals,
    names.undefined_fields,
    names.unused_variables,
    names.lost_functions,
    names.changed_before_set,
    names.missing_functions,
    calls.argument_counts,
    calls.script_calls,
    calls.library_arguments,
    calls.commands_only_in_init,
    devices.missing_devices,
    devices.entries,
    devices.argument_ranges,
    storing.forgotten_assignments,
    storing.shared_tables,
    storing.rebound_methods,
    storing.changes_while_iterating,
    portability.shadowing_parameters,
    portability.file_level_blocks,
    portability.unbraced_variables,
    portability.library_faults,
    portability.script_form,
    portability.include_twice,
    values.conditions,
    layout.continued_lines,
    layout.large_integers,
    layout.string_escapes,
    layout.unusual_words,
    layout.byte_order_marks,
    layout.encodings,
)
_KIND_CHECKS = (
    calls.argument_kinds,
    values.comparisons,
    values.operands,
    values.zero_divisions,
    values.mixed_remainders,
)
_IGNORE = re.compile(r"#.*?\bcheck:\s*ignore\[([^\]]*)\]")


def check_script(
    path: str | os.PathLike[str],
    text: str | None = None,
    include_dirs: Sequence[str | os.PathLike[str]] = (),
    *,
    signatures: HostNames | None = None,
) -> list[Diagnostic]:
    """Everything that is wrong or doubtful about a script, in order of the text.

    `signatures`: what the host gives to scripts beside the language's own names. Raises InputError if the file cannot
    be read, nothing else.
    """
    try:
        script = parse(path, text, include_dirs)
        scopes = resolve(script)
    except ScriptError as error:
        return list(error.diagnostics)
    splicer = Splicer(include_dirs)
    tokens = list(with_roles(splicer.tokens(os.fspath(path), script.sources[0].text)))
    known = BUILT_INS.joined(signatures) if signatures else BUILT_INS
    study = Study(script, scopes, tokens, splicer.repeated, known)
    noticed = [replace(each, text=f"{each.text} [{each.code}]") for each in script.warnings]
    found = [*noticed, *(_diagnostic(finding) for finding in _findings(study) if _is_own(finding.span.source))]
    return _in_order([each for each in found if not _is_ignored(script, each)], script)


def _findings(study: Study) -> Iterator[Finding]:
    for check in _PLAIN_CHECKS:
        yield from check(study)
    kinds = Kinds(study)
    for check_of_kinds in _KIND_CHECKS:
        yield from check_of_kinds(study, kinds)


def _diagnostic(finding: Finding) -> Diagnostic:
    return diagnostic(
        finding.span,
        finding.severity,
        f"{finding.text} [{finding.code}]",
        severity=finding.severity,
        code=finding.code,
        hint=finding.hint,
    )


def _is_own(source: Source) -> bool:
    """The standard includes are not the user's to change."""
    return not Path(source.name).resolve().is_relative_to(_library())


@cache
def _library() -> Path:
    return (scripts_folder() / "include").resolve()


def _is_ignored(script: Script, found: Diagnostic) -> bool:
    source = next((source for source in script.sources if source.name == found.place.file), None)
    if source is None:
        return False
    line, above = source.line(found.place.line), source.line(found.place.line - 1)
    comments = [line, above] if above.lstrip().startswith("#") else [line]
    return any(found.code in codes for codes in map(_ignored_codes, comments))


def _ignored_codes(line: str) -> set[str]:
    return {code.strip() for match in _IGNORE.finditer(line) for code in match[1].split(",")}


def _in_order(found: list[Diagnostic], script: Script) -> list[Diagnostic]:
    rank = {source.name: number for number, source in enumerate(script.sources)}
    return sorted(found, key=lambda each: (rank.get(each.place.file, 0), each.place.line, each.place.column))
