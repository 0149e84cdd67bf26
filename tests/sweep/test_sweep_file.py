"""Sweep files: what they say, and every mistake at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from pybuzz.errors import InputError
from pybuzz.sweep import read_sweep
from pybuzz.sweep.dependencies import digests
from pybuzz.sweep.plan import combination_name, combinations, expand


@pytest.fixture
def sweep_file(tmp_path: Path):
    (tmp_path / "walk.bzz").write_text("function init() { }\nfunction step() { }\n")

    def write(text: str) -> Path:
        path = tmp_path / "study.yaml"
        path.write_text(text)
        return path

    return write


def test_a_whole_sweep_is_read(sweep_file) -> None:
    sweep = read_sweep(
        sweep_file(
            "experiment: walk.bzz\nseed: 7\nrepetitions: 3\nseconds: 2.5\nparameters:\n"
            "  buzz.A: [1, 2.5, text]\n  radio.range: {range: [0.5, 2.0, 0.5]}\n  buzz.N: {linspace: [1, 2, 3]}\n"
            "measures: {distance: distance_travelled}\nglobals: [state]\n"
        )
    )
    assert (sweep.seed, sweep.repetitions, sweep.seconds, sweep.variables) == (7, 3, 2.5, ("state",))
    assert sweep.parameters == {
        "buzz.A": ("1", "2.5", "text"),
        "radio.range": ("0.5", "1", "1.5", "2"),
        "buzz.N": ("1", "1.5", "2"),
    }


def test_all_combinations_are_run_and_rows_are_combined_with_them(sweep_file, tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("buzz.A,buzz.B\n1,x\n2,y\n")
    sweep = read_sweep(
        sweep_file("experiment: walk.bzz\nrows: rows.csv\nparameters: {buzz.C: [5, 6]}\nmeasures: {t: ticks}\n")
    )
    assert [tuple(one.values()) for one in combinations(sweep)] == [
        ("1", "x", "5"), ("1", "x", "6"), ("2", "y", "5"), ("2", "y", "6"),
    ]  # fmt: skip
    assert sweep.keys == ["buzz.C", "buzz.A", "buzz.B"]


def test_values_may_be_lists_and_mappings(sweep_file) -> None:
    sweep = read_sweep(
        sweep_file(
            "experiment: walk.bzz\nmeasures: {t: ticks}\nparameters:\n"
            "  arena.size: [[4, 4], [6, 6.5]]\n  robots[1].sensors: [{proximity: {noise: 0.1}}]\n"
        )
    )
    assert sweep.parameters == {
        "arena.size": ("[4, 4]", "[6, 6.5]"),
        "robots[1].sensors": ("{proximity: {noise: 0.1}}",),
    }


@pytest.mark.parametrize("key", ["seed", "experiment.seed", "framework/experiment/@random_seed"])
@pytest.mark.parametrize("way", ["parameters", "rows"])
def test_a_seed_is_no_parameter_because_each_run_has_its_own(sweep_file, tmp_path: Path, key: str, way: str) -> None:
    (tmp_path / "rows.csv").write_text(f"{key}\n1\n2\n")
    what = f"parameters: {{{key}: [1, 2]}}" if way == "parameters" else "rows: rows.csv"
    with pytest.raises(InputError, match="a seed cannot be a parameter") as caught:
        read_sweep(sweep_file(f"experiment: walk.bzz\nmeasures: {{t: ticks}}\n{what}\n"))
    assert "repetitions" in str(caught.value)


def test_labels_name_what_there_is(sweep_file) -> None:
    text = "experiment: walk.bzz\nmeasures: {t: ticks}\nparameters: {radio.range: [1, 2]}\nlabels: {LABEL: range (m)}\n"
    assert read_sweep(sweep_file(text.replace("LABEL", "radio.range"))).labels == {"radio.range": "range (m)"}
    with pytest.raises(InputError, match=r"did you mean 'radio\.range'"):
        read_sweep(sweep_file(text.replace("LABEL", "radio.rnge")))


def test_a_measure_of_a_global_that_no_script_has_is_found_before_the_first_run(sweep_file, tmp_path: Path) -> None:
    (tmp_path / "walk.bzz").write_text("state = 0\nfunction init() { }\nfunction step() { state = 1 }\n")
    sweep = read_sweep(sweep_file('experiment: walk.bzz\nmeasures: {s: mean(final("stat"))}\n'))
    with pytest.raises(InputError, match="reads the global 'stat', which no script uses") as caught:
        digests(sweep)
    assert "did you mean 'state'" in str(caught.value)


def test_the_command_that_repeats_a_run_records_what_its_measures_read(sweep_file) -> None:
    sweep = read_sweep(sweep_file('experiment: walk.bzz\nmeasures: {s: mean(final("a"))}\nglobals: [b]\n'))
    (run,) = expand(sweep, {combination_name({}): ""})
    assert run.command(sweep).endswith("--record run-0 --record-globals b,a")


def test_every_mistake_is_reported_with_its_line(sweep_file) -> None:
    path = sweep_file(
        "experimnt: walk.bzz\nrepetitions: many\nparameters:\n  buzz.A: []\n  buzz.B: {range: [1, 2, 0]}\n"
        "measures:\n  a: distance_traveled\n  b: 1 +\n  c: __import__('os')\n  d: none.py:f\n"
    )
    with pytest.raises(InputError) as caught:
        read_sweep(path)
    found = {(one.place.line, one.text.partition(":")[0].split("'")[0].strip()) for one in caught.value.diagnostics}
    assert {line for line, _ in found} >= {1, 2, 4, 5, 7, 8, 9, 10}
    text = str(caught.value)
    assert "did you mean 'experiment'?" in text
    assert "did you mean 'distance_travelled'?" in text


def test_a_run_keeps_its_seed_when_others_are_added(sweep_file) -> None:
    def runs(values: str, repetitions: int) -> dict[tuple[str, int], int]:
        parameters = f"repetitions: {repetitions}\nparameters: {{buzz.A: {values}}}\n"
        sweep = read_sweep(sweep_file(f"experiment: walk.bzz\n{parameters}measures: {{t: ticks}}\n"))
        digests = {combination_name(one): "same" for one in combinations(sweep)}
        return {(run.parameters["buzz.A"], run.repetition): run.seed for run in expand(sweep, digests)}

    few, many = runs("[1, 2]", 2), runs("[0, 1, 2, 3]", 5)
    assert few.items() <= many.items()
    assert len(set(many.values())) == len(many)


def test_the_command_that_repeats_a_run_names_all_it_needs(sweep_file) -> None:
    sweep = read_sweep(
        sweep_file("experiment: walk.bzz\nticks: 5\nexact: true\nparameters: {buzz.A: [a b]}\nmeasures: {t: ticks}\n")
    )
    (run,) = expand(sweep, {combination_name({"buzz.A": "a b"}): ""})
    command = run.command(sweep)
    assert command.startswith("pybuzz run ")
    assert f"--seed {run.seed} --set 'buzz.A=a b' --ticks 5 --exact" in command
