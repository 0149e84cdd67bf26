"""The two trees of bounding boxes by which bodies that may touch are found, in ARGoS's order.

One tree holds the static bodies, one the movable ones; a body is a leaf. A movable leaf's box is a little larger
than its body, and the leaf stays where it is until the body leaves that box. Shape and order of the trees are those
of Chipmunk 6.0.1's bounding-box tree, as ARGoS 3 uses it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pybuzz.compiled import array_part, kernel_part

__all__ = [
    "FOREST", "GROWTH", "NODE", "NONE", "Floats", "Ints", "Record", "Records", "first_leaf", "give_node", "grown",
    "insert", "keeps_in", "leaves_in_order", "new_leaf", "next_leaf", "overlapping_leaves", "reverse_leaf_list",
    "set_box", "set_leaf_box", "unhang",
]  # fmt: skip

Record = Any
Records = NDArray[Any]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NONE = -1
NODE = np.dtype(
    [(name, np.float64) for name in ("left", "bottom", "right", "top")]
    + [(name, np.int64) for name in ("parent", "first", "second", "row", "stamp", "pairs", "before", "after")]
    + [("passes", np.int64)]
)
"""A leaf has `first` NONE, the `row` of its body, the head of its `pairs`, and neighbours in the leaf list; `passes` is
1 for a robot that passes through others."""
FOREST = np.dtype(
    [
        (name, np.int64)
        for name in (
            "static_root", "movable_root", "stamp", "leaves", "capacity", "list_head",
            "nodes_used", "free_node", "pairs_used", "free_pair", "pairs_free", "reports", "touches", "steps",
            "robots_pass", "solid",
        )
    ]
)  # fmt: skip
"""One record: roots, the stamp, the list of movable leaves, what is in use of pools, touches kept, sub-steps done,
whether robots pass through each other, and the number of movable leaves that pass through nothing."""

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


@array_part
def grown(records: Records, count: int, needed: int) -> Records:
    """An array with room for more records than needed, with the first `count` of the old one."""
    larger = np.empty(2 * needed + 2, records.dtype)
    for i in range(count):
        larger[i] = records[i]
    return larger


@kernel_part
def set_box(node: Record, body: Record) -> None:
    """Make the box of a node that of a body."""
    node.left, node.bottom, node.right, node.top = body.left, body.bottom, body.right, body.top


@kernel_part
def set_leaf_box(node: Record, body: Record) -> None:
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
def give_node(nodes: Records, forest: Records, node: int) -> None:
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
def insert(nodes: Records, forest: Records, root: int, leaf: int) -> int:
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
def unhang(nodes: Records, forest: Records, root: int, leaf: int) -> int:
    """Take a leaf out of a tree; its sibling takes its parent's place. Returns the root."""
    if leaf == root:
        return NONE
    joint = nodes[leaf].parent
    sibling: int = nodes[joint].second if nodes[joint].first == leaf else nodes[joint].first
    above = nodes[joint].parent
    give_node(nodes, forest, joint)
    if above == NONE:
        nodes[sibling].parent = NONE
        return sibling
    _replace_child(nodes, above, joint, sibling)
    while above != NONE:
        _merge(nodes[above], nodes[nodes[above].first], nodes[nodes[above].second])
        above = nodes[above].parent
    return root


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
def leaves_in_order(nodes: Records, root: int, walk: Ints, order: Ints) -> int:
    """The leaves of a tree, depth first, into `order`; returns their number."""
    count, depth = 0, 0
    if root != NONE:
        walk[0], depth = root, 1
    while depth > 0:
        depth -= 1
        node = nodes[walk[depth]]
        if node.first == NONE:
            order[count] = walk[depth]
            count += 1
        else:
            walk[depth], walk[depth + 1] = node.second, node.first
            depth += 2
    return count


@kernel_part
def new_leaf(nodes: Records, forest: Records, row: int) -> int:
    """A leaf for a body, not yet in a tree."""
    leaf = _take_node(nodes, forest)
    node = nodes[leaf]
    node.first, node.second, node.pairs = NONE, NONE, NONE
    node.row = row
    return leaf


@kernel_part
def keeps_in(node: Record, body: Record) -> bool:
    """Whether a body is still within the box of its leaf."""
    return bool(node.left < body.left and node.bottom < body.bottom and node.right > body.right and node.top > body.top)
