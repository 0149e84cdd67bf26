"""The bundle of CodeMirror that is committed, against what it says it was made of."""

from __future__ import annotations

import json
from pathlib import Path

VENDOR = Path(__file__).parents[2] / "pybuzz" / "workbench" / "page" / "vendor"


def packages() -> dict[str, str]:
    """Name and version of every package of the lock file that is not only a tool."""
    locked = json.loads((VENDOR / "package-lock.json").read_text())["packages"]
    kept = {path: entry for path, entry in locked.items() if path and not entry.get("dev")}
    return {path.removeprefix("node_modules/"): entry["version"] for path, entry in kept.items()}


def test_every_package_that_may_be_in_the_bundle_stands_with_its_licence_beside_it() -> None:
    licences = (VENDOR / "codemirror.licences.txt").read_text()
    absent = [name for name, version in packages().items() if f"{name} {version} (" not in licences]
    assert absent == ["@lezer/lr"]  # a dependency of which no part is used
    assert licences.count("Permission is hereby granted") == len(packages()) - len(absent)


def test_the_bundle_is_one_module_that_loads_nothing_else() -> None:
    text = (VENDOR / "codemirror.js").read_text()
    assert "export{" in text
    assert "http://" not in text.replace("http://www.w3.org", "")
    assert "import(" not in text
