"""`python -m pybuzz`: the command line."""

from pybuzz.cli import main

if __name__ == "__main__":
    main()
