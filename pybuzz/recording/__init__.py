"""What is kept of a run: write, read, plot. Knows only plain data: arrays, names, dictionaries."""
