"""`python -m analyzer.cli`: the same as the `fives` command."""

import sys

from analyzer.cli import main

sys.exit(main())
