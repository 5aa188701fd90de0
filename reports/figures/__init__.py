"""The figures, a question each: functions that return a `Drawing`, or None without its data."""
