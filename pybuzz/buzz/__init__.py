"""The language. Text in, runnable program out.

Script text and the files it includes flow in; a Program flows out, and Machines that run it. Knows nothing of
robots: the host hands it functions and tables.
"""
