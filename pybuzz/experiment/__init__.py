"""What is run: the experiment's data, placing, hooks and the run loop."""
