"""Figures and pages from tables: DataFrames in, pictures out; nothing of the other packages is imported."""
