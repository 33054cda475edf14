#!/usr/bin/env python3
"""Which tests of the last build were skipped or not judged, and why."""

import pathlib
import xml.etree.ElementTree as xml

root = pathlib.Path(__file__).resolve().parent.parent


def reason(skipped):
    """Its message: what stands before the stack trace."""
    text = skipped.get("message") or (skipped.text or "no reason").split("\n\tat ")[0]
    return " ".join(text.removeprefix("org.opentest4j.TestAbortedException: ").split())[:300]


found = [
    f"{case.get('classname')}.{case.get('name')}: {reason(skipped)}"
    for report in sorted(root.glob("*/target/*-reports/TEST-*.xml"))
    for case in xml.parse(report).getroot().iter("testcase")
    for skipped in case.iter("skipped")
]
print("\n".join(found) or "none")
