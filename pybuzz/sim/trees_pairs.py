"""Pairs of leaves whose boxes meet, threaded through both, and the reports that the solver makes contacts of.

The order of the reports decides the order in which the solver treats contacts, and so the last bits of a crowd's
motion: it is that of Chipmunk 6.0.1, as ARGoS 3 uses it.
"""

from __future__ import annotations

import numpy as np

from pybuzz.compiled import array_part, kernel_part
from pybuzz.sim.trees import (
    NONE,
    Ints,
    Record,
    Records,
    first_leaf,
    grown,
    insert,
    keeps_in,
    leaves_in_order,
    next_leaf,
    set_box,
    set_leaf_box,
    unhang,
)  # fmt: skip

__all__ = [
    "PAIR", "hang_movable", "hang_static", "rehang", "rehang_by_hand", "report_pairs", "unhang_movable",
    "unhang_static", "with_room",
]  # fmt: skip

PAIR = np.dtype([(name, np.int64) for name in ("p", "q", "p_before", "p_after", "q_before", "q_after")])
"""Two leaves, and for each the neighbours of this pair in that leaf's list."""


@kernel_part
def _set_before(pairs: Records, pair: int, leaf: int, before: int) -> None:
    if pairs[pair].p == leaf:
        pairs[pair].p_before = before
    else:
        pairs[pair].q_before = before


@kernel_part
def _add_pair(nodes: Records, pairs: Records, forest: Records, p: int, q: int) -> None:
    """Put a pair at the front of both leaves' lists. The caller has seen to room in the pool."""
    state = forest[0]
    if state.free_pair == NONE:
        pair = state.pairs_used
        state.pairs_used += 1
    else:
        pair = state.free_pair
        state.free_pair = pairs[pair].p_after
        state.pairs_free -= 1
    p_after, q_after = nodes[p].pairs, nodes[q].pairs
    record = pairs[pair]
    record.p, record.q = p, q
    record.p_before, record.p_after = NONE, p_after
    record.q_before, record.q_after = NONE, q_after
    if p_after != NONE:
        _set_before(pairs, p_after, p, pair)
    if q_after != NONE:
        _set_before(pairs, q_after, q, pair)
    nodes[p].pairs = pair
    nodes[q].pairs = pair


@kernel_part
def _unthread(nodes: Records, pairs: Records, leaf: int, before: int, after: int) -> None:
    if after != NONE:
        _set_before(pairs, after, leaf, before)
    if before == NONE:
        nodes[leaf].pairs = after
    elif pairs[before].p == leaf:
        pairs[before].p_after = after
    else:
        pairs[before].q_after = after


@kernel_part
def _clear_pairs(nodes: Records, pairs: Records, forest: Records, leaf: int) -> None:
    state = forest[0]
    pair = nodes[leaf].pairs
    while pair != NONE:
        record = pairs[pair]
        if record.p == leaf:
            following = record.p_after
            _unthread(nodes, pairs, record.q, record.q_before, record.q_after)
        else:
            following = record.q_after
            _unthread(nodes, pairs, record.p, record.p_before, record.p_after)
        record.p_after = state.free_pair
        state.free_pair = pair
        state.pairs_free += 1
        pair = following
    nodes[leaf].pairs = NONE


@kernel_part
def _report(forest: Records, reports: Ints, a: int, b: int) -> None:
    count = forest[0].reports
    reports[count, 0], reports[count, 1] = a, b
    forest[0].reports = count + 1


@kernel_part
def _mark_new(nodes: Records, pairs: Records, forest: Records, leaf: int, stack: Ints, reports: Ints) -> None:
    """Pair a leaf of this stamp with all that it meets, and report its row with theirs."""
    stamp, row = nodes[leaf].stamp, nodes[leaf].row
    other, depth = first_leaf(nodes, forest[0].static_root, nodes[leaf], stack)
    while other != NONE:
        if nodes[other].stamp < stamp:
            _add_pair(nodes, pairs, forest, other, leaf)
        _report(forest, reports, row, nodes[other].row)
        other, depth = next_leaf(nodes, nodes[leaf], stack, depth)
    if nodes[leaf].passes and forest[0].solid == 0:
        return
    child, parent = leaf, nodes[leaf].parent
    while parent != NONE:
        from_first = nodes[parent].first == child
        cousins = nodes[parent].second if from_first else nodes[parent].first
        other, depth = first_leaf(nodes, cousins, nodes[leaf], stack)
        while other != NONE:
            if nodes[leaf].passes and nodes[other].passes:
                pass
            elif from_first:
                _add_pair(nodes, pairs, forest, leaf, other)
            else:
                if nodes[other].stamp < stamp:
                    _add_pair(nodes, pairs, forest, other, leaf)
                _report(forest, reports, row, nodes[other].row)
            other, depth = next_leaf(nodes, nodes[leaf], stack, depth)
        child, parent = parent, nodes[parent].parent


@kernel_part
def _mark_old(nodes: Records, pairs: Records, forest: Records, leaf: int, reports: Ints) -> None:
    """Report the pairs of a leaf that did not move in the tree and in which it is the second."""
    pair = nodes[leaf].pairs
    while pair != NONE:
        if pairs[pair].q == leaf:
            _report(forest, reports, nodes[pairs[pair].p].row, nodes[leaf].row)
            pair = pairs[pair].q_after
        else:
            pair = pairs[pair].p_after


@kernel_part
def _pairs_left(pairs: Records, forest: Records) -> int:
    return int(forest[0].pairs_free + len(pairs) - forest[0].pairs_used)


@array_part
def with_room(pairs: Records, forest: Records, room: int) -> Records:
    """The pool of pairs, grown if fewer than `room` are free."""
    if _pairs_left(pairs, forest) >= room:
        return pairs
    return grown(pairs, forest[0].pairs_used, len(pairs) + room)


@array_part
def _lengthened(reports: Ints, count: int, room: int) -> Ints:
    """The first `count` reports in an array with room for `room` more; no shorter one, for growth shows by lengths."""
    longer = np.empty((max(2 * (count + room), len(reports)), 2), np.int64)
    for i in range(count):
        longer[i, 0], longer[i, 1] = reports[i, 0], reports[i, 1]
    return longer


@kernel_part
def _mark_some(
    nodes: Records, pairs: Records, forest: Records, order: Ints, start: int, end: int, stack: Ints, reports: Ints
) -> int:
    """Mark the leaves order[start:end] for as long as there is room; returns where it stopped."""
    state, room = forest[0], len(nodes)
    for i in range(start, end):
        leaf = order[i]
        fresh = nodes[leaf].stamp == state.stamp
        if not fresh and nodes[leaf].pairs == NONE:
            continue
        if len(reports) < state.reports + room or _pairs_left(pairs, forest) < room:
            return i
        if fresh:
            _mark_new(nodes, pairs, forest, leaf, stack, reports)
        else:
            _mark_old(nodes, pairs, forest, leaf, reports)
    return end


@array_part
def report_pairs(
    nodes: Records, pairs: Records, forest: Records, stack: Ints, order: Ints, reports: Ints
) -> tuple[Records, Ints]:
    """Visit the movable leaves depth first and report all pairs; their number is in the forest.

    Ends a round: the stamp goes up. Returns pairs and reports, grown when too small. `stack` and `order` are scratch,
    int64[nodes].
    """
    state, room = forest[0], len(nodes)
    state.reports = 0
    count = leaves_in_order(nodes, state.movable_root, stack, order)
    done = _mark_some(nodes, pairs, forest, order, 0, count, stack, reports)
    while done < count:
        pairs = with_room(pairs, forest, room)
        reports = _lengthened(reports, state.reports, room)
        done = _mark_some(nodes, pairs, forest, order, done, count, stack, reports)
    state.stamp += 1
    return pairs, reports


@kernel_part
def hang_static(nodes: Records, pairs: Records, forest: Records, leaf: int, body: Record, stack: Ints) -> None:
    """Hang a leaf into the static tree, and pair it with all movable leaves it meets."""
    state = forest[0]
    set_box(nodes[leaf], body)
    state.static_root = insert(nodes, forest, state.static_root, leaf)
    nodes[leaf].stamp = state.stamp
    other, depth = first_leaf(nodes, state.movable_root, nodes[leaf], stack)
    while other != NONE:
        _add_pair(nodes, pairs, forest, leaf, other)
        other, depth = next_leaf(nodes, nodes[leaf], stack, depth)
    state.stamp += 1


@kernel_part
def hang_movable(
    nodes: Records, pairs: Records, forest: Records, leaf: int, body: Record, stack: Ints, reports: Ints
) -> None:
    """Hang a new leaf into the movable tree and at the front of the list, and pair it."""
    state = forest[0]
    set_leaf_box(nodes[leaf], body)
    state.movable_root = insert(nodes, forest, state.movable_root, leaf)
    nodes[leaf].stamp = state.stamp
    nodes[leaf].before, nodes[leaf].after = NONE, state.list_head
    if state.list_head != NONE:
        nodes[state.list_head].before = leaf
    state.list_head = leaf
    state.leaves += 1
    state.solid += 1 - nodes[leaf].passes
    state.reports = 0
    _mark_new(nodes, pairs, forest, leaf, stack, reports)
    state.stamp += 1


@kernel_part
def unhang_static(nodes: Records, pairs: Records, forest: Records, leaf: int) -> None:
    """Take a leaf out of the static tree and out of all pairs."""
    _clear_pairs(nodes, pairs, forest, leaf)
    forest[0].static_root = unhang(nodes, forest, forest[0].static_root, leaf)


@kernel_part
def unhang_movable(nodes: Records, pairs: Records, forest: Records, leaf: int) -> None:
    """Take a leaf out of the movable tree, the list and all pairs."""
    state = forest[0]
    _clear_pairs(nodes, pairs, forest, leaf)
    state.movable_root = unhang(nodes, forest, state.movable_root, leaf)
    before, after = nodes[leaf].before, nodes[leaf].after
    if before == NONE:
        state.list_head = after
    else:
        nodes[before].after = after
    if after != NONE:
        nodes[after].before = before
    state.leaves -= 1
    state.solid -= 1 - nodes[leaf].passes


@kernel_part
def rehang(nodes: Records, pairs: Records, forest: Records, leaf: int, body: Record) -> None:
    """Hang a movable leaf anew where its body is; it loses its pairs and takes the present stamp."""
    set_leaf_box(nodes[leaf], body)
    state = forest[0]
    state.movable_root = insert(nodes, forest, unhang(nodes, forest, state.movable_root, leaf), leaf)
    _clear_pairs(nodes, pairs, forest, leaf)
    nodes[leaf].stamp = state.stamp


@kernel_part
def rehang_by_hand(
    nodes: Records, pairs: Records, forest: Records, leaf: int, body: Record, stack: Ints, reports: Ints
) -> None:
    """Follow a movable body that was put elsewhere between two ticks."""
    forest[0].reports = 0
    if not keeps_in(nodes[leaf], body):
        rehang(nodes, pairs, forest, leaf, body)
        _mark_new(nodes, pairs, forest, leaf, stack, reports)
    forest[0].stamp += 1
