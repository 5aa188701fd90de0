"""What a page opens with: the answer in a few sentences, one module a kind of run."""
