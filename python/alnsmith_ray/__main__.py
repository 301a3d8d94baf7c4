"""`python -m alnsmith_ray search ...` is `alnsmith-ray search ...`."""
import sys

from .command import main

sys.exit(main())
