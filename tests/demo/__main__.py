"""`python tests/demo`: see demo.py."""

import sys

from demo import main

sys.exit(main())
