"""python -m exactrelu VERB ...: the command line."""

import sys

from exactrelu.cli.main import main

sys.exit(main())
