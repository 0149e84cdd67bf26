"""The real robot: what a Khepera IV says and is told over a line, and how it is kept safe.

Orders of minds flow out as lines of kh4server's protocol, its replies flow in as readings in SI. Knows the body's
shape (khepera), who hears whom (radio) and minds (swarm), but neither worlds nor experiments. What runs while a
script hangs (`keeper` and all it imports) loads no numpy and no script.
"""
