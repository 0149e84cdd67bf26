"""`plot --show` with and without something to open a window on."""

import pytest

from pybuzz.errors import InputError

matplotlib = pytest.importorskip("matplotlib")

from pybuzz.recording.canvas import new_figure, show_figure  # noqa: E402


def test_without_windows_the_message_offers_a_file() -> None:
    with matplotlib.rc_context({"backend": "agg"}), pytest.raises(InputError, match="no window can be opened") as error:
        show_figure(new_figure((2, 2)))
    assert error.value.diagnostics[0].hint == "write a file instead: -o plot.png"


def test_a_backend_that_cannot_start_is_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:
        raise ImportError("Cannot load backend 'TkAgg' which requires the 'tk' interactive framework")

    monkeypatch.setattr("matplotlib.get_backend", lambda: "TkAgg")
    monkeypatch.setattr("matplotlib.pyplot.figure", refuse)
    with pytest.raises(InputError, match="no window can be opened here: Cannot load backend 'TkAgg'"):
        show_figure(new_figure((2, 2)))


def test_with_windows_the_figure_itself_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    from matplotlib import pyplot

    shown = []
    monkeypatch.setattr("matplotlib.get_backend", lambda: "TkAgg")  # agg draws, but is taken for one with windows
    monkeypatch.setattr(pyplot, "show", lambda: shown.append(pyplot.get_fignums()))
    figure = new_figure((2, 2))
    show_figure(figure)
    assert len(shown[0]) == 1
    assert figure.canvas.manager is not None
    assert figure.canvas.manager.canvas.figure is figure
    pyplot.close("all")
