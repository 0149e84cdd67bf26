"""The browser workbench: a server of pages, and the process that runs the experiment they show.

Experiments and recordings flow in, pages of a browser see them and change them. docs/workbench-protocol.md says what
the parts tell each other. Nothing else in pybuzz may know this room.
"""
