#!/usr/bin/env python3
"""Tests proof.py with a jdyno and a JVM that print prepared answers: python3 bench/drive/test_proof.py"""
import contextlib, io, json, os, pathlib, stat, sys, tempfile, unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import proof

JAVA = """#!{python}
import sys, time
if "--list" in sys.argv:
    for name in ("one", "two"):
        print('{{"case":"%s","bottleneck":"lock","also":[],"concurrency":8,"jvmArgs":["-Xmx64m"]}}' % name)
    sys.exit()
open({log!r}, "a").write("start " + sys.argv[sys.argv.index("--case") + 1] + "\\n")
print("listening on 12345", flush=True)
time.sleep(60)
"""

# Answers by the tool: the next line of the file `answers-TOOL`, the last one again and again.
JDYNO = """#!{python}
import json, os, pathlib, sys
arguments = sys.argv[1:]
tool = "own" if "--drive" not in arguments else pathlib.Path(arguments[arguments.index("--drive") + 1].split()[0]).name
with open({log!r}, "a") as log:
    log.write("jdyno " + json.dumps(arguments) + "\\n")
os.kill(int(arguments[arguments.index("--pid") + 1]), 0)
answers = pathlib.Path({folder!r}, "answers-" + tool)
lines = answers.read_text().splitlines()
if len(lines) > 1:
    answers.write_text("\\n".join(lines[1:]) + "\\n")
answer = json.loads(lines[0])
if answer.get("exit"):
    print("it broke: for a reason")
    sys.exit(answer["exit"])
out = pathlib.Path(arguments[arguments.index("--out") + 1])
out.mkdir()
(out / "result.json").write_text(json.dumps({{
    "partial": answer.get("partial", False), "machine": {{"cores": 2}}, "load": {{"driver": None}}, "validity": {{"ok": answer.get("valid", True)}},
    "verdict": {{"bottleneck": answer["name"], "where": "", "confidence": 0.9}},
    "rounds": [{{"qps": 10.0, "cpu": {{"otherCores": answer.get("others", 0.0)}}}}],
}}))
sys.exit(0 if answer.get("valid", True) else 3)
"""


class ProofTest(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        self.log = self.folder / "log"
        self.log.touch()
        self.out = self.folder / "out"
        self.program("java", JAVA)
        self.program("jdyno", JDYNO)
        for tool in ("wrk", "k6"):
            self.program(tool, "#!/bin/sh\n")

    def tearDown(self):
        self.temporary.cleanup()

    def program(self, name, text):
        file = self.folder / name
        if "{python}" in text:
            text = text.format(python=sys.executable, log=str(self.log), folder=str(self.folder))
        file.write_text(text)
        file.chmod(file.stat().st_mode | stat.S_IXUSR)

    def answers(self, tool, *all_of_it):
        (self.folder / f"answers-{tool}").write_text("".join(json.dumps(a) + "\n" for a in all_of_it))

    def proof(self, *what):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            code = proof.main(["--jdyno", str(self.folder / "jdyno"), "--java", str(self.folder / "java"), "--wrk", str(self.folder / "wrk"),
                               "--k6", str(self.folder / "k6"), "--jmeter", str(self.folder / "absent"), "--out", str(self.out), *what])
        return code, printed.getvalue()

    def runs(self):
        return [json.loads(line[6:]) for line in self.log.read_text().splitlines() if line.startswith("jdyno ")]

    def test_names_are_compared_with_those_of_the_own_load(self):
        self.answers("own", {"name": "lock"}, {"name": "cpu"}, {"name": "cpu"})
        self.answers("wrk", {"name": "lock"}, {"name": "cpu", "valid": False})
        self.answers("k6", {"name": "lock"}, {"name": "client"})

        code, printed = self.proof("--cases", "one,two", "measure")

        self.assertIn("jmeter: not installed", printed)
        self.assertIn("| one | lock | lock 0.90 | lock 0.90 | lock 0.90 | 2 of 2 |", printed)
        self.assertIn("| two | lock | cpu 0.90 | cpu 0.90 (not valid) | client 0.90 | 1 of 2 |", printed)
        self.assertIn("wrk: the same name in 2 of 2", printed)
        self.assertIn("k6: the same name in 1 of 2", printed)
        self.assertIn("own load: as planted in 1 of 2", printed)
        self.assertEqual(1, code)

    def test_all_loads_get_the_same_concurrencies_and_the_tool_its_placeholders(self):
        for tool in ("own", "wrk", "k6"):
            self.answers(tool, {"name": "lock"})

        self.assertEqual(0, self.proof("--cases", "one", "measure")[0])

        own, wrk, k6 = self.runs()
        for arguments in (own, wrk, k6):
            self.assertEqual("2,8,16", arguments[arguments.index("--concurrency") + 1])
            self.assertIn("http://127.0.0.1:12345/", arguments)
        self.assertNotIn("--drive", own)
        for arguments in (wrk, k6):
            drive = arguments[arguments.index("--drive") + 1]
            self.assertIn("{n}", drive)
            self.assertIn("{seconds}", drive)
            self.assertIn("http://127.0.0.1:12345/", drive)
        self.assertIn("--summary-export {out}", k6[k6.index("--drive") + 1])

    def test_a_measurement_is_not_repeated_except_after_a_failure(self):
        self.answers("own", {"name": "lock"})
        self.answers("wrk", {"exit": 1}, {"name": "lock"})
        self.answers("k6", {"name": "lock"})

        code, printed = self.proof("--cases", "one", "measure")
        self.assertEqual(1, code)
        self.assertIn("failed: RuntimeError: exit code 1: it broke", printed)
        self.assertEqual(3, len(self.runs()))

        code, printed = self.proof("--cases", "one", "measure")
        self.assertEqual(0, code)
        self.assertEqual(4, len(self.runs()))
        self.assertIn("| one | lock | lock 0.90 | lock 0.90 | lock 0.90 | 2 of 2 |", printed)

        self.proof("--cases", "one", "measure")
        self.assertEqual(4, len(self.runs()))

    def test_a_disturbed_measurement_is_repeated_and_never_counted(self):
        self.answers("own", {"name": "cpu-neighbour", "others": 1.0}, {"name": "lock"})
        self.answers("wrk", {"name": "lock", "others": 1.0})

        code, printed = self.proof("--cases", "one", "--tools", "own,wrk", "measure")

        self.assertEqual(2 + proof.TRIES, len(self.runs()))
        self.assertIn("| one | lock | lock 0.90 | lock 0.90 (disturbed) | 0 of 0 |", printed)
        self.assertEqual(1, code)

    def test_a_run_that_was_cut_short_is_a_failure(self):
        self.answers("own", {"name": "lock", "partial": True})

        _, printed = self.proof("--cases", "one", "--tools", "own", "measure")

        self.assertIn("failed: RuntimeError: cut short", printed)

    def test_services_end_with_their_measurement(self):
        started = []
        begin = proof.Service.__enter__

        def watched(service):
            started.append(service)
            return begin(service)

        proof.Service.__enter__ = watched
        try:
            self.answers("own", {"exit": 2})
            self.proof("--cases", "one,two", "--tools", "own", "measure")
        finally:
            proof.Service.__enter__ = begin
        self.assertEqual(2, len(started))
        for service in started:
            self.assertIsNotNone(service.process.poll())

    def test_report_needs_no_service(self):
        for tool in ("own", "wrk"):
            self.answers(tool, {"name": "lock"})
        self.proof("--cases", "one", "--tools", "own,wrk", "measure")
        os.remove(self.folder / "java")

        code, printed = self.proof("report")

        self.assertEqual(0, code)
        self.assertIn("| one | lock | lock 0.90 | lock 0.90 | 1 of 1 |", printed)
        self.assertIn("fewer than ten", printed)

    def test_unknown_cases_and_tools_are_refused(self):
        with self.assertRaises(SystemExit):
            self.proof("--cases", "one,three", "measure")
        with self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()):
            self.proof("--tools", "own,ab2", "measure")


if __name__ == "__main__":
    unittest.main()
