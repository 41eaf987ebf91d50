"""A plugin of pytest that leaves out what each of its processes would import in vain.

`python -m pytest -p tests.support.quick_start` reads it before nbval, which imports nbformat.
"""

import sys

# jsonschema compiles a grammar, 1.5 s, for addresses in other scripts, which no notebook has.
sys.modules.setdefault("rfc3987_syntax", None)
