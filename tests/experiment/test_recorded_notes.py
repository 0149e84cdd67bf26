"""What a run records of `debug`."""

import pybuzz

SCRIPT = """\
function init() { n = 0 debug.trajectory.enable(3, 9, 8, 7) }
function step() {
  n = n + 1
  debug.print("n ", n)
  debug.set_color(1, 2, 3)
  debug.rays.add(4, 5, 6, 1.0, 0.0, 0.5)
  if(n == 5) { n = n + nil }
}
"""


def test_text_rays_and_trail_are_recorded_while_the_script_lives(tmp_path) -> None:
    (tmp_path / "draw.bzz").write_text(SCRIPT)
    notes = pybuzz.load(tmp_path / "draw.bzz", robots=1, seed=1, ticks=8).run().notes
    assert [(note.tick, note.text, note.trail) for note in notes] == [
        (1, "n 1", 1),
        (2, "n 2", 2),
        (3, "n 3", 3),
        (4, "n 4", 3),
    ]
    assert (notes[0].color, notes[0].trail_color) == ((1, 2, 3), (9, 8, 7))
    assert notes[0].rays == (((4, 5, 6), (0.0, 0.0, 0.0), (1.0, 0.0, 0.5)),)
