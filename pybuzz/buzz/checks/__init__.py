"""`pybuzz check` for scripts: every error in one go, and warnings of what is probably meant otherwise.

A script's path and the names that its host defines flow in, Diagnostics flow out. Each rule has a code, which stands in
brackets behind the text and has a section in docs/checks.md. A comment `# check: ignore[code]` on the line, or alone
on the line above, silences it.
"""

from pybuzz.buzz.checks.engine import check_script

__all__ = ["check_script"]
