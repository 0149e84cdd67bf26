"""Tables: keys, order of walking, copies, conversion."""

import pytest

from pybuzz.buzz import BuzzFailure, StringIds, Table, clone, from_python, host_function, host_method, to_python
from pybuzz.buzz.strings import bucket_of_number, numbered
from pybuzz.buzz.tables import Record


def walked(*keys):
    return Table.of((key, 1) for key in keys).ordered_keys(StringIds())


def test_missing_keys_are_nil_and_storing_nil_removes():
    table = Table.of([("a", 1)])
    table.store("a", None)
    table.store("b", None)
    assert (table["a"], len(table)) == (None, 0)


def test_numeric_keys_that_are_equal_are_one_and_the_latest_form_wins():
    table = Table.of([(2, "a"), (2.0, "b")])
    [(key, value)] = table.items()
    assert (type(key), value) == (float, "b")


@pytest.mark.parametrize("key", [None, Table(), host_function("f", 0, lambda: None)])
def test_other_keys_are_a_type_mismatch_in_both_directions(key):
    for attempt in (lambda: Table().store(key, 1), lambda: Table().fetch(key)):
        with pytest.raises(BuzzFailure, match="value can't be used as table key"):
            attempt()


def test_tables_are_equal_only_to_themselves():
    assert Table() != Table()
    table = Table()
    assert table == table
    assert len({table, Table()}) == 2


def test_negative_keys_fall_into_the_buckets_of_their_unsigned_remainder():
    # Language reference, order of iteration.
    assert [bucket_of_number(-key) for key in range(1, 11)] == [5, 4, 3, 2, 1, 0, 9, 8, 7, 0]


def test_a_float_key_falls_into_the_bucket_of_its_whole_part_read_as_unsigned():
    # Unlike an integer's, whose remainder is taken first.
    assert [bucket_of_number(key) for key in (-10.73, -20.1, -0.5, -3.7, -10.0, -10)] == [6, 6, 0, 3, 6, 0]


def test_equal_numbers_of_both_classes_are_walked_by_their_own_buckets():
    ids = StringIds()
    whole, fractional = Table.of([(-10, 1), (3, 1), (1, 1)]), Table.of([(-10.0, 1), (3, 1), (1, 1)])
    for _ in range(2):
        assert [key for key, _ in whole.ordered_items(ids)] == [-10, 1, 3]
        assert [key for key, _ in fractional.ordered_items(ids)] == [1, 3, -10.0]
        assert fractional.ordered_keys(ids) == [1, 3, -10.0]


def test_walking_goes_by_bucket_then_by_order_of_storing():
    assert walked(12, 3, 2, 10, 0) == [10, 0, 12, 2, 3]


def test_updating_moves_a_key_to_the_end_of_its_bucket():
    table = Table.of([(1, 0), (11, 0), (21, 0)])
    table.store(1, 5)
    assert table.ordered_keys(StringIds()) == [11, 21, 1]


def test_string_keys_walk_by_their_ids():
    ids = StringIds(numbered(["b", "a"]))
    assert Table.of([("a", 1), ("b", 1)]).ordered_keys(ids) == ["b", "a"]
    assert ids.id_of("new") == len(numbered(["b", "a"]))


def test_a_record_that_the_host_writes_becomes_an_ordinary_table():
    record = Record({"a": 1})
    record.store(7, 2)
    assert type(record) is Table
    assert record[7] == 2


def test_walking_sees_a_snapshot():
    table = Table.of([(1, 1), (2, 2)])
    seen = []
    for key, _ in table.ordered_items(StringIds()):
        table.store(2, None)
        seen.append(key)
    assert seen == [1, 2]


def test_clone_copies_deeply_and_keeps_cycles():
    table = Table.of([("inner", Table.of([(0, 1)]))])
    table.store("me", table)
    copy = clone(table)
    assert copy["me"] is copy
    assert copy["inner"] is not table["inner"]
    assert copy["inner"][0] == 1


def test_methods_of_a_clone_still_act_on_the_original():
    table = Table.of([("me", host_method("me", 0, lambda self: self))])
    assert clone(table)["me"]() is table


def test_python_data_goes_in_and_comes_out():
    data = {"a": [1, 2.5, True], "é": None}
    assert to_python(from_python(data)) == {"a": {0: 1, 1: 2.5, 2: 1}}
    with pytest.raises(OverflowError):
        from_python(2**31)
    with pytest.raises(TypeError):
        from_python(object())


def test_a_table_that_contains_itself_converts_to_text_there():
    table = Table()
    table.store("me", table)
    assert to_python(table) == {"me": "[table with 1 elems]"}


def test_very_deep_tables_convert_to_text_at_the_bottom():
    table = Table()
    for _ in range(5000):
        table = Table.of([(0, table)])
    assert isinstance(to_python(table), dict)
