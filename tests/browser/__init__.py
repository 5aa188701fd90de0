"""Pages opened in a real browser, with the network off."""
