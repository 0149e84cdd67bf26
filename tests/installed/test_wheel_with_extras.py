"""What the wheel's extras add, on every Python."""

from __future__ import annotations

STUDY = """experiment: {experiment}
seed: 1
ticks: 5
parameters: {{radio.range: [0.6, 1.2]}}
measures: {{way: distance_travelled}}
"""


def test_plot_draws_the_recording_of_an_example(installed, recorded) -> None:
    done = installed.run("plot", recorded, "-o", "drawn.png")
    assert done.returncode == 0, done.stderr
    assert (installed.folder / "drawn.png").read_bytes().startswith(b"\x89PNG")


def test_a_sweep_of_two_runs_ends_with_its_summary(installed, recorded, write) -> None:
    write("study.yaml", STUDY.format(experiment=installed.example("hexagon") / "hexagon.yaml"))
    done = installed.run("sweep", "study.yaml", "-o", "out", "--report", "page.md", "--workers", "1")
    assert (done.returncode, "2 of 2 runs" in done.stdout) == (0, True), done.stderr
    assert "2 runs, 0 failed" in (installed.folder / "page.md").read_text()


def test_a_recording_becomes_an_mcap(installed, recorded) -> None:
    done = installed.run("export", recorded, "-o", "recorded.mcap")
    assert done.returncode == 0, done.stderr
    assert (installed.folder / "recorded.mcap").read_bytes().startswith(b"\x89MCAP0")
