"""The built-in libraries: tables of host functions that every machine gets."""
