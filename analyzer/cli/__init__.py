"""The command line: a thin shell over the library, one module a command."""

from analyzer.cli.app import main

__all__ = ["main"]
