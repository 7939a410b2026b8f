"""Checks the rules: each rule flags the examples below its name in bad.md, and no rule flags a line of good.md.

python .vale/tests/check.py VALE...      the command that runs vale
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
RULES = {path.stem for path in (HERE.parent / "styles" / "Sluice").glob("*.yml")}


def alerts(page: Path) -> set[tuple[int, str]]:
    """The lines of a page with the rules that flag them."""
    command = [*sys.argv[1:], "--output=JSON", "--no-exit", str(page)]
    done = subprocess.run(command, cwd=HERE.parent.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return {
        (alert["Line"], alert["Check"].split(".")[1]) for page in json.loads(done.stdout).values() for alert in page
    }


wrong = [f"good.md:{line}: {rule} flags this line" for line, rule in alerts(HERE / "good.md")]
flagged, marked = alerts(HERE / "bad.md"), []
for number, line in enumerate((HERE / "bad.md").read_text().splitlines(), 1):
    if comment := re.match(r"<!-- (\w+) -->", line):
        marked.append((number, comment[1]))
for (first, rule), (last, _) in zip(marked, [*marked[1:], (sys.maxsize, "")], strict=True):
    if not any(first < number < last and rule == other for number, other in flagged):
        wrong.append(f"bad.md:{first}: {rule} does not flag the example below")
wrong += [f"bad.md has no example for {rule}" for rule in RULES - {rule for _, rule in marked}]
print("\n".join(wrong) or f"vale: {len(RULES)} rules flag their examples")
sys.exit(bool(wrong))
