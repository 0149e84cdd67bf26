from pathlib import Path

import pytest

from pybuzz.buzz.libraries.files import io_table
from pybuzz.buzz.strings import StringIds
from pybuzz.buzz.tables import Table
from pybuzz.buzz.values import BuzzFailure


@pytest.fixture
def io(tmp_path: Path) -> Table:
    (tmp_path / "folder").mkdir()
    return io_table(StringIds(), tmp_path / "folder", lambda turns: None, lambda count: None)


def lines(io: Table, file: Table) -> list[str]:
    found: list[str] = []

    def keep(line: str) -> None:
        found.append(line)

    io["fforeach"](file, keep)
    return found


def test_what_is_written_can_be_read(io: Table, tmp_path: Path) -> None:
    file = io["fopen"]("a.txt", "w")
    io["fwrite"](file, "hello ", 3, " ", 2.5, " ", None)
    io["fwrite"](file, "\xff\r")
    io["fclose"](file)
    assert (tmp_path / "folder/a.txt").read_bytes() == b"hello 3 2.500000 [nil]\n\xff\r\n"
    again = io["fopen"]("a.txt", "r")
    assert io["fsize"](again) == 26
    assert lines(io, again) == ["hello 3 2.500000 [nil]", "\xff\r"]


def test_an_opened_file_is_a_table_that_knows_its_name(io: Table) -> None:
    assert io["fopen"]("a.txt", "w")["name"] == "a.txt"
    assert io["errno"] == 0
    assert io["error_message"] == "No error"


def test_a_missing_file_is_nil_and_says_why(io: Table) -> None:
    assert io["fopen"]("no_such_dir/file.txt", "r") is None
    assert (io["errno"], io["error_message"]) == (2, "No such file or directory")


def test_a_success_clears_the_last_error(io: Table) -> None:
    io["fopen"]("missing", "r")
    io["fopen"]("a.txt", "w")
    assert io["errno"] == 0


def test_appending_keeps_what_was_there(io: Table, tmp_path: Path) -> None:
    for mode in ("w", "a"):
        file = io["fopen"]("a.txt", mode)
        io["fwrite"](file, mode)
        io["fclose"](file)
    assert (tmp_path / "folder/a.txt").read_text() == "w\na\n"


def test_a_closed_file_and_a_wrong_mode_set_errno_and_raise_nothing(io: Table) -> None:
    file = io["fopen"]("a.txt", "w")
    assert lines(io, file) == []
    assert io["errno"] == 9
    io["fclose"](file)
    io["fwrite"](file, "late")
    assert io["errno"] == 9
    assert io["fopen"]("a.txt", "q") is None
    assert io["errno"] == 22


def test_without_a_folder_opening_a_file_names_the_option_that_allows_it() -> None:
    with pytest.raises(BuzzFailure) as failure:
        io_table(StringIds(), None, lambda turns: None, lambda count: None)["fopen"]("a.txt", "r")
    assert "--allow-io" in failure.value.hint


@pytest.mark.parametrize("name", ["../secret", "/etc/secret", "sub/../../secret", "link/secret", "logs/secret"])
def test_a_path_out_of_the_folder_is_taken_inside_it_by_its_name_with_a_word(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "secret").write_text("42")
    (folder / "link").symlink_to(tmp_path)
    told: list[str] = []
    io = io_table(StringIds(), folder, lambda turns: None, lambda count: None, told.append)
    assert io["fopen"](name, "r") is None
    assert io["errno"] == 2
    io["fwrite"](io["fopen"](name, "w"), "mine")
    assert (folder / "secret").read_text() == "mine\n"
    assert (tmp_path / "secret").read_text() == "42"
    assert told[0] == f"'{name}' is taken as {folder}/secret: scripts use the files of that folder"


def test_a_link_in_the_folder_leads_nowhere_else(io: Table, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("42")
    (tmp_path / "folder/secret").symlink_to(tmp_path / "secret")
    with pytest.raises(BuzzFailure, match="outside of the script's folder"):
        io["fopen"]("secret", "r")


def test_a_line_is_in_the_file_as_soon_as_it_is_written(io: Table, tmp_path: Path) -> None:
    file = io["fopen"]("a.csv", "w")
    io["fwrite"](file, "1;2")
    assert (tmp_path / "folder/a.csv").read_text() == "1;2\n"


def test_a_file_must_be_one_that_fopen_gave(io: Table) -> None:
    with pytest.raises(BuzzFailure, match="expected table, got integer"):
        io["fclose"](7)
    with pytest.raises(BuzzFailure, match="expected userdata, got nil"):
        io["fclose"](Table())
