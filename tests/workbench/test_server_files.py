"""Files of the experiment's folder: listed, read, and replaced without losing anybody's changes."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from test_server_access import ADDRESS, OWN, TOKEN, FakeRun

from pybuzz.workbench import files as files_module
from pybuzz.workbench.access import Guard
from pybuzz.workbench.app import make_app
from pybuzz.workbench.files import ExperimentFiles, FileError

PATH = f"/{TOKEN}/files/walk.bzz"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "walk.bzz").write_text("one")
    return tmp_path


@pytest.fixture
def client(folder: Path) -> Iterator[TestClient]:
    app = Guard(make_app(FakeRun(), ExperimentFiles(folder)), TOKEN)
    with TestClient(app, base_url=ADDRESS, headers=OWN) as client:
        yield client


def test_those_that_matter_are_listed_scripts_first(folder: Path) -> None:
    for name in ("b.yaml", "a.argos", "hooks.py", "part/turn.bzz", "notes.txt", ".hidden.bzz", "__pycache__/x.py",
                 ".git/config.yaml", "run/poses.parquet"):  # fmt: skip
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("")
    (folder / "outside.bzz").symlink_to("/etc/hostname")
    (folder / "link.bzz").symlink_to("walk.bzz")
    assert ExperimentFiles(folder).names() == [
        "link.bzz", "walk.bzz", "part/turn.bzz", "b.yaml", "a.argos", "hooks.py"
    ]  # fmt: skip


def test_a_huge_folder_is_listed_in_part(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files_module, "_MOST_VISITED", 5)
    for number in range(9):
        (folder / f"part{number}").mkdir()
        (folder / f"part{number}" / "x.bzz").write_text("")
    assert ExperimentFiles(folder).names() == ["walk.bzz"]


def test_a_text_is_saved_if_nobody_else_saved_one_meanwhile(client: TestClient, folder: Path) -> None:
    mark = client.get(PATH).headers["etag"]
    saved = client.put(PATH, content="two", headers={"if-match": mark})
    assert saved.status_code == 204
    assert (folder / "walk.bzz").read_text() == "two"
    again = client.put(PATH, content="three", headers={"if-match": saved.headers["etag"]})
    assert again.status_code == 204


def test_a_text_that_changed_on_disk_is_given_back_and_stays(client: TestClient, folder: Path) -> None:
    mark = client.get(PATH).headers["etag"]
    (folder / "walk.bzz").write_text("of another program")
    answer = client.put(PATH, content="mine", headers={"if-match": mark})
    assert (answer.status_code, answer.text) == (409, "of another program")
    assert (folder / "walk.bzz").read_text() == "of another program"
    assert client.put(PATH, content="mine", headers={"if-match": answer.headers["etag"]}).status_code == 204


def test_a_file_that_was_removed_meanwhile_is_not_made_again_unasked(client: TestClient, folder: Path) -> None:
    mark = client.get(PATH).headers["etag"]
    (folder / "walk.bzz").unlink()
    assert client.put(PATH, content="mine", headers={"if-match": mark}).status_code == 409
    assert not (folder / "walk.bzz").exists()


def test_a_new_file_is_made_only_if_there_is_none(client: TestClient, folder: Path) -> None:
    new = f"/{TOKEN}/files/new.bzz"
    assert client.put(new, content="a", headers={"if-none-match": "*"}).status_code == 204
    assert client.put(new, content="b", headers={"if-none-match": "*"}).status_code == 409
    assert (folder / "new.bzz").read_text() == "a"
    assert client.put(f"/{TOKEN}/files/no/folder.bzz", content="a").status_code == 403


def test_a_file_is_replaced_whole_and_keeps_its_permissions(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader never sees half of it; if the replacing fails the old text stays, and nothing else."""
    os.chmod(folder / "walk.bzz", 0o640)
    files = ExperimentFiles(folder)
    with (folder / "walk.bzz").open() as reader:
        files.write("walk.bzz", b"two")
        assert reader.read() == "one"
    assert stat.S_IMODE((folder / "walk.bzz").stat().st_mode) == 0o640

    def fail(source: str, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(FileError, match="No space left") as fault:
        files.write("walk.bzz", b"three")
    assert fault.value.status == 403
    assert (folder / "walk.bzz").read_text() == "two"
    assert os.listdir(folder) == ["walk.bzz"]


def test_a_link_within_the_folder_stays_one(folder: Path) -> None:
    (folder / "link.bzz").symlink_to("walk.bzz")
    ExperimentFiles(folder).write("link.bzz", b"two")
    assert (folder / "link.bzz").is_symlink()
    assert (folder / "walk.bzz").read_text() == "two"


def test_what_may_not_be_written_is_told(client: TestClient, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # to root, everything may be written
    answer = client.put(PATH, content="mine")
    assert (answer.status_code, answer.text) == (403, "walk.bzz cannot be written: Permission denied")
    assert (folder / "walk.bzz").read_text() == "one"


def test_pipes_folders_large_files_and_pictures_are_not_read(folder: Path) -> None:
    os.mkfifo(folder / "pipe.bzz")
    (folder / "folder.bzz").mkdir()
    (folder / "large.bzz").write_bytes(b"x" * 1_000_001)
    (folder / "picture.bzz").write_bytes(b"\x89PNG\xff\0")
    files = ExperimentFiles(folder)
    statuses = {}
    for name in ("pipe.bzz", "folder.bzz", "large.bzz", "picture.bzz"):
        with pytest.raises(FileError) as fault:
            files.read(name)
        statuses[name] = fault.value.status
    assert statuses == {"pipe.bzz": 404, "folder.bzz": 404, "large.bzz": 413, "picture.bzz": 415}
