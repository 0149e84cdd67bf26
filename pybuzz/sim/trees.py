"""The two trees of bounding boxes by which bodies that may touch are found, in ARGoS's order.

One tree holds the static bodies, one the movable ones; a body is a leaf. A movable leaf's box is a little larger
than its body, and the leaf stays where it is until the body leaves that box. Leaves whose boxes meet form pairs,
threaded through both. The order in which pairs are reported decides the order in which the solver treats contacts,
and so the last bits of a crowd's motion: it is that of Chipmunk 6.0.1's bounding-box tree, as ARGoS 3 uses it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pybuzz.compiled import kernel_part

__all__ = [
    "FOREST", "GROWTH", "NODE", "NONE", "PAIR", "Floats", "Ints", "Record", "Records", "drop_leaf", "grown",
    "hang_movable", "hang_static", "new_leaf", "overlapping_leaves", "rehang", "rehang_by_hand", "report_pairs",
    "reverse_leaf_list", "set_box", "unhang_movable", "unhang_static", "with_room",
]  # fmt: skip

Record = Any
Records = NDArray[Any]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NONE = -1
NODE = np.dtype(
    [(name, np.float64) for name in ("left", "bottom", "right", "top")]
    + [(name, np.int64) for name in ("parent", "first", "second", "row", "stamp", "pairs", "before", "after")]
)
"""A leaf has `first` NONE, the `row` of its body, the head of its `pairs`, and neighbours in the leaf list."""
PAIR = np.dtype([(name, np.int64) for name in ("p", "q", "p_before", "p_after", "q_before", "q_after")])
"""Two leaves, and for each the neighbours of this pair in that leaf's list."""
FOREST = np.dtype(
    [
        (name, np.int64)
        for name in (
            "static_root", "movable_root", "stamp", "leaves", "capacity", "list_head",
            "nodes_used", "free_node", "pairs_used", "free_pair", "pairs_free", "reports", "touches", "steps",
        )
    ]
)  # fmt: skip
"""One record: roots, the stamp, the list of movable leaves, what is in use of pools, touches kept, sub-steps done."""

MARGIN = float(np.float32(0.1))
"""Of a leaf box: this part of the size, or of the distance moved in a second. A float in Chipmunk."""
GROWTH = (5, 13, 23, 47, 97, 193, 389, 769, 1543, 3079, 6151, 12289, 24593, 49157, 98317, 196613, 393241, 786433)
"""Sizes of Chipmunk's hash table of leaves; all fall into one bin, which a new size turns round."""


def reverse_leaf_list(nodes: Records, forest: Records) -> None:
    """Turn the list of movable leaves round, as a growing hash table does."""
    state = forest[0]
    leaf = state["list_head"]
    while leaf != NONE:
        state["list_head"], following = leaf, nodes["after"][leaf]
        nodes["after"][leaf], nodes["before"][leaf] = nodes["before"][leaf], following
        leaf = following


@kernel_part
def grown(records: Records, count: int) -> Records:
    """An array of records at least twice as long, with the first `count` of the old one."""
    larger = np.empty(2 * len(records) + 2, records.dtype)
    for i in range(count):
        larger[i] = records[i]
    return larger


@kernel_part
def set_box(node: Record, body: Record) -> None:
    """Make the box of a node that of a body."""
    node.left, node.bottom, node.right, node.top = body.left, body.bottom, body.right, body.top


@kernel_part
def _set_leaf_box(node: Record, body: Record) -> None:
    """The box of a movable leaf: the body's, enlarged by its size and by its velocity."""
    across = MARGIN * (body.right - body.left)
    along = MARGIN * (body.top - body.bottom)
    ahead_x, ahead_y = MARGIN * body.vx, MARGIN * body.vy
    node.left = body.left + min(-across, ahead_x)
    node.bottom = body.bottom + min(-along, ahead_y)
    node.right = body.right + max(across, ahead_x)
    node.top = body.top + max(along, ahead_y)


@kernel_part
def _meet(a: Record, b: Record) -> bool:
    return bool(a.left <= b.right and b.left <= a.right and a.bottom <= b.top and b.bottom <= a.top)


@kernel_part
def _area(a: Record) -> float:
    return float((a.right - a.left) * (a.top - a.bottom))


@kernel_part
def _merged_area(a: Record, b: Record) -> float:
    return float((max(a.right, b.right) - min(a.left, b.left)) * (max(a.top, b.top) - min(a.bottom, b.bottom)))


@kernel_part
def _merge(into: Record, a: Record, b: Record) -> None:
    into.left = min(a.left, b.left)
    into.bottom = min(a.bottom, b.bottom)
    into.right = max(a.right, b.right)
    into.top = max(a.top, b.top)


@kernel_part
def _take_node(nodes: Records, forest: Records) -> int:
    state = forest[0]
    node: int = state.free_node
    if node == NONE:
        node = state.nodes_used
        state.nodes_used += 1
        return node
    state.free_node = nodes[node].parent
    return node


@kernel_part
def _give_node(nodes: Records, forest: Records, node: int) -> None:
    nodes[node].parent = forest[0].free_node
    forest[0].free_node = node


@kernel_part
def _replace_child(nodes: Records, parent: int, child: int, successor: int) -> None:
    if nodes[parent].first == child:
        nodes[parent].first = successor
    else:
        nodes[parent].second = successor
    nodes[successor].parent = parent


@kernel_part
def _insert(nodes: Records, forest: Records, root: int, leaf: int) -> int:
    """Hang a leaf into a tree, beside the leaf that costs the least area; returns the root."""
    nodes[leaf].parent = NONE
    if root == NONE:
        return leaf
    at = root
    while nodes[at].first != NONE:
        first, second = nodes[at].first, nodes[at].second
        cost_first = _area(nodes[second]) + _merged_area(nodes[first], nodes[leaf])
        cost_second = _area(nodes[first]) + _merged_area(nodes[second], nodes[leaf])
        _merge(nodes[at], nodes[at], nodes[leaf])
        at = second if cost_second < cost_first else first
    joint = _take_node(nodes, forest)
    parent = nodes[at].parent
    nodes[joint].parent = parent
    nodes[joint].first, nodes[joint].second = leaf, at
    nodes[joint].row = NONE
    _merge(nodes[joint], nodes[leaf], nodes[at])
    if parent != NONE:
        _replace_child(nodes, parent, at, joint)
    nodes[leaf].parent = joint
    nodes[at].parent = joint
    return joint if parent == NONE else root


@kernel_part
def _unhang(nodes: Records, forest: Records, root: int, leaf: int) -> int:
    """Take a leaf out of a tree; its sibling takes its parent's place. Returns the root."""
    if leaf == root:
        return NONE
    joint = nodes[leaf].parent
    sibling: int = nodes[joint].second if nodes[joint].first == leaf else nodes[joint].first
    above = nodes[joint].parent
    _give_node(nodes, forest, joint)
    if above == NONE:
        nodes[sibling].parent = NONE
        return sibling
    _replace_child(nodes, above, joint, sibling)
    while above != NONE:
        _merge(nodes[above], nodes[nodes[above].first], nodes[nodes[above].second])
        above = nodes[above].parent
    return root


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
    state.pairs_free -= 1
    if state.free_pair == NONE:
        pair = state.pairs_used
        state.pairs_used += 1
    else:
        pair = state.free_pair
        state.free_pair = pairs[pair].p_after
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
def next_leaf(nodes: Records, box: Record, stack: Ints, depth: int) -> tuple[int, int]:
    """The next leaf, depth first, whose box meets `box`, and the new depth of the stack; leaf NONE at the end."""
    while depth > 0:
        depth -= 1
        at = stack[depth]
        if _meet(nodes[at], box):
            if nodes[at].first == NONE:
                return at, depth
            stack[depth] = nodes[at].second
            stack[depth + 1] = nodes[at].first
            depth += 2
    return NONE, depth


@kernel_part
def first_leaf(nodes: Records, root: int, box: Record, stack: Ints) -> tuple[int, int]:
    """Begin a search; see `next_leaf`."""
    stack[0] = root
    return next_leaf(nodes, box, stack, 1 if root != NONE else 0)


@kernel_part
def overlapping_leaves(nodes: Records, root: int, box: Record, stack: Ints, found: Ints) -> int:
    """Rows of the bodies whose leaves in one tree meet `box`, into `found`; returns their number."""
    count = 0
    leaf, depth = first_leaf(nodes, root, box, stack)
    while leaf != NONE:
        found[count] = nodes[leaf].row
        count += 1
        leaf, depth = next_leaf(nodes, box, stack, depth)
    return count


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
    child, parent = leaf, nodes[leaf].parent
    while parent != NONE:
        from_first = nodes[parent].first == child
        cousins = nodes[parent].second if from_first else nodes[parent].first
        other, depth = first_leaf(nodes, cousins, nodes[leaf], stack)
        while other != NONE:
            if from_first:
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
def with_room(pairs: Records, forest: Records, room: int) -> Records:
    """The pool of pairs, grown until at least `room` are free."""
    state = forest[0]
    while state.pairs_free + len(pairs) - state.pairs_used < room:
        pairs = grown(pairs, state.pairs_used)
    return pairs


@kernel_part
def _lengthened(reports: Ints, count: int, room: int) -> Ints:
    """The reports, in a longer array if there is no room for `room` after the first `count`."""
    if len(reports) >= count + room:
        return reports
    longer = np.empty((2 * (count + room), 2), np.int64)
    for i in range(count):
        longer[i, 0], longer[i, 1] = reports[i, 0], reports[i, 1]
    return longer


@kernel_part
def report_pairs(
    nodes: Records, pairs: Records, forest: Records, stack: Ints, walk: Ints, reports: Ints
) -> tuple[Records, Ints]:
    """Visit the movable leaves depth first and report all pairs; their number is in the forest.

    Ends a round: the stamp goes up. Returns pairs and reports, grown when too small. `stack` and `walk` are scratch,
    int64[nodes].
    """
    state = forest[0]
    state.reports = depth = 0
    if state.movable_root != NONE:
        walk[0], depth = state.movable_root, 1
    room = len(nodes)
    while depth > 0:
        depth -= 1
        at = walk[depth]
        if nodes[at].first != NONE:
            walk[depth], walk[depth + 1] = nodes[at].second, nodes[at].first
            depth += 2
            continue
        reports = _lengthened(reports, state.reports, room)
        if nodes[at].stamp == state.stamp:
            pairs = with_room(pairs, forest, room)
            _mark_new(nodes, pairs, forest, at, stack, reports)
        else:
            _mark_old(nodes, pairs, forest, at, reports)
    state.stamp += 1
    return pairs, reports


@kernel_part
def new_leaf(nodes: Records, forest: Records, row: int) -> int:
    """A leaf for a body, not yet in a tree."""
    leaf = _take_node(nodes, forest)
    node = nodes[leaf]
    node.first, node.second, node.pairs = NONE, NONE, NONE
    node.row = row
    return leaf


@kernel_part
def hang_static(nodes: Records, pairs: Records, forest: Records, leaf: int, body: Record, stack: Ints) -> None:
    """Hang a leaf into the static tree, and pair it with all movable leaves it meets."""
    state = forest[0]
    set_box(nodes[leaf], body)
    state.static_root = _insert(nodes, forest, state.static_root, leaf)
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
    _set_leaf_box(nodes[leaf], body)
    state.movable_root = _insert(nodes, forest, state.movable_root, leaf)
    nodes[leaf].stamp = state.stamp
    nodes[leaf].before, nodes[leaf].after = NONE, state.list_head
    if state.list_head != NONE:
        nodes[state.list_head].before = leaf
    state.list_head = leaf
    state.leaves += 1
    state.reports = 0
    _mark_new(nodes, pairs, forest, leaf, stack, reports)
    state.stamp += 1


@kernel_part
def unhang_static(nodes: Records, pairs: Records, forest: Records, leaf: int) -> None:
    """Take a leaf out of the static tree and out of all pairs."""
    _clear_pairs(nodes, pairs, forest, leaf)
    forest[0].static_root = _unhang(nodes, forest, forest[0].static_root, leaf)


@kernel_part
def unhang_movable(nodes: Records, pairs: Records, forest: Records, leaf: int) -> None:
    """Take a leaf out of the movable tree, the list and all pairs."""
    state = forest[0]
    _clear_pairs(nodes, pairs, forest, leaf)
    state.movable_root = _unhang(nodes, forest, state.movable_root, leaf)
    before, after = nodes[leaf].before, nodes[leaf].after
    if before == NONE:
        state.list_head = after
    else:
        nodes[before].after = after
    if after != NONE:
        nodes[after].before = before
    state.leaves -= 1


@kernel_part
def drop_leaf(nodes: Records, forest: Records, leaf: int) -> None:
    """Give back a leaf that is in no tree."""
    _give_node(nodes, forest, leaf)


@kernel_part
def rehang(nodes: Records, pairs: Records, forest: Records, leaf: int, body: Record) -> bool:
    """Hang a movable leaf anew if its body has left its box; it loses its pairs and takes the present stamp."""
    node = nodes[leaf]
    if node.left < body.left and node.bottom < body.bottom and node.right > body.right and node.top > body.top:
        return False
    _set_leaf_box(node, body)
    state = forest[0]
    state.movable_root = _insert(nodes, forest, _unhang(nodes, forest, state.movable_root, leaf), leaf)
    _clear_pairs(nodes, pairs, forest, leaf)
    node.stamp = state.stamp
    return True


@kernel_part
def rehang_by_hand(
    nodes: Records, pairs: Records, forest: Records, leaf: int, body: Record, stack: Ints, reports: Ints
) -> None:
    """Follow a movable body that was put elsewhere between two ticks."""
    forest[0].reports = 0
    if rehang(nodes, pairs, forest, leaf, body):
        _mark_new(nodes, pairs, forest, leaf, stack, reports)
    forest[0].stamp += 1
