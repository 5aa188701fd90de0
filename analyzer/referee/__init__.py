"""The plain engine: the rules in obvious Python over an explicit layout tree.

`fives verify` and `fives score` use it, and the tests hold the fast kernels against it. It shares
no code with them.
"""
