"""How the random tests draw their examples.

"ci" draws the same examples in every run, so that a red run speaks of the change under test;
"thorough" (`make slow`) draws new ones and many more. Both print what reproduces a failure.
HYPOTHESIS_PROFILE chooses; the default is "ci".
"""

import os

from hypothesis import settings

settings.register_profile("ci", max_examples=50, deadline=None, derandomize=True, print_blob=True)
settings.register_profile("thorough", max_examples=1000, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
