"""The cases of docs/validation.md. Each is a function of a Work that returns (measured, passed);
passed is None if the case could not be judged. `fails` says why a case is known to fail: it stays
in the table, and only the other cases have to pass. Each bound is that of the named source; "ours"
marks those that no source gives."""

import cases_rimea  # noqa: F401  the order of these is that of the table
import cases_others  # noqa: F401
import cases_flow  # noqa: F401
import cases_streams  # noqa: F401
import cases_turns  # noqa: F401
import cases_places  # noqa: F401
import cases_exits  # noqa: F401
from registry import CASES  # noqa: F401
