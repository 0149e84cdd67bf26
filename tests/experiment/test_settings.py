"""The grammar of `--set`, and `--robots`."""

from __future__ import annotations

from pathlib import Path

import pytest

from pybuzz.errors import InputError
from pybuzz.experiment.plan import Distribution
from pybuzz.experiment.reading import read_plan
from pybuzz.settings import buzz_globals, parse_sets

CASES = Path(__file__).parents[1] / "data" / "argos-cases"


def complaint_about(*sets: str) -> str:
    with pytest.raises(InputError) as caught:
        buzz_globals(parse_sets(sets))
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("buzz.SPEED=5", "buzz"), ("radio.range=2", "yaml"), ("yaml.radio.range=2", "yaml"), ("robots[2].at=0", "yaml"),
        ("arena/distribute[1]/entity/@quantity=20", "xml"), ("N=20", "name"), ("experiment.length=", "yaml"),
    ],
)  # fmt: skip
def test_a_key_tells_what_it_changes(text: str, kind: str) -> None:
    (setting,) = parse_sets([text])
    assert (setting.kind, str(setting)) == (kind, text)


@pytest.mark.parametrize(
    ("text", "value"),
    [("5", 5), ("-5", -5), ("5.0", 5.0), ("1e3", 1000.0), ("nil", None), ("null", None), ("true", 1), ("'5'", "5"),
     ("go home", "go home"), ("a=b", "a=b"), ("", "")],
)  # fmt: skip
def test_a_buzz_global_becomes_a_buzz_value(text: str, value: object) -> None:
    assert buzz_globals(parse_sets([f"buzz.X={text}"])) == {"X": value}


def test_settings_of_python_are_a_mapping() -> None:
    assert buzz_globals(parse_sets({"buzz.A": 5.0, "buzz.B": 3, "buzz.C": "x", "buzz.D": None, "buzz.E": True})) == {
        "A": 5.0, "B": 3, "C": "x", "D": None, "E": 1,
    }  # fmt: skip


def test_every_text_that_is_no_setting_is_named() -> None:
    assert complaint_about("foo", "1x=3", "buzz.a.b=1") == (
        "--set foo: not a setting: there is no '='\n"
        "  hint: write --set KEY=VALUE\n"
        "--set 1x=3: not a setting: '1x' is no key\n"
        "  hint: buzz.NAME, key.of.a.yaml.file, path/in/xml/@attribute, or the NAME of a placeholder\n"
        "--set buzz.a.b=1: not a setting: 'buzz.a.b' is no key\n"
        "  hint: buzz.NAME, key.of.a.yaml.file, path/in/xml/@attribute, or the NAME of a placeholder"
    )


def test_an_integer_beyond_32_bits_is_refused() -> None:
    assert complaint_about("buzz.X=3000000000") == (
        "--set buzz.X=3000000000: wrong value: an integer of Buzz has 32 bits\n"
        "  hint: write it as a float, with a point"
    )


def test_the_one_group_of_robots_can_be_resized(tmp_path: Path) -> None:
    (tmp_path / "a.bzz").write_text("")
    for path in (tmp_path / "a.bzz", CASES / "layout_uniform" / "scene.argos"):
        group = read_plan(path, robots=3)[0].items[-1]
        assert isinstance(group, Distribution)
        assert group.quantity == 3


def test_of_two_groups_one_must_be_named() -> None:
    with pytest.raises(InputError) as caught:
        read_plan(CASES / "layout_grid_constant" / "scene.argos", robots=3)
    assert str(caught.value).endswith(
        "scene.argos: which robots: --robots 3: the robots of the file stand in 2 groups\n"
        "  hint: --set arena/distribute[1]/entity/@quantity=3"
    )


def test_robots_that_stand_one_by_one_are_no_group(tmp_path: Path) -> None:
    (tmp_path / "a.bzz").write_text("")
    (tmp_path / "e.yaml").write_text("arena: {size: [4, 4]}\nrobots: [{script: a.bzz, at: [0, 0]}]\n")
    with pytest.raises(InputError, match="--robots 3: the robots of the file stand in 1 single place"):
        read_plan(tmp_path / "e.yaml", robots=3)
