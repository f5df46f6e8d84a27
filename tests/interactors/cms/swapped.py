"""The manager in judge/starters/cms with the two pipes of each process in the other order, as older tasks have them."""

import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
manager = os.path.join(here, "../../../judge/starters/cms/manager.py")
first, second, third, fourth = sys.argv[1:]
os.execvp("python3", ["python3", manager, second, first, fourth, third])
