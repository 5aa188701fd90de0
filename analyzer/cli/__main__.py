"""`python -m analyzer.cli`: the same as the `fives` command."""

import sys

from analyzer.cli.app import main

sys.exit(main())
