"""Pictures: DataFrames in, figures and pages out. They import nothing of ours."""
