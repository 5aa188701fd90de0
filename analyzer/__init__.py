"""Meaning: rule sets, notation, experiments, statistics and the command line."""
