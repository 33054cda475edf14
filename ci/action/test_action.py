#!/usr/bin/env python3
"""Runs the own steps of both actions (action.yml, ci/guard/action.yml) in bash, with a fake GitHub API behind a fake `gh`, a fake `jdyno`, recorded events
and a real git repository.

    ci/action/test_action.py
"""
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent

spec = importlib.util.spec_from_file_location("report", HERE / "report.py")
report = importlib.util.module_from_spec(spec)
spec.loader.exec_module(report)

# Keeps the comments of one pull request in a file, two a page, as `gh api --paginate` prints them.
GH = r'''#!/usr/bin/env python3
import json, os, sys
path = os.environ["FAKE_GH"]
state = json.load(open(path))
words = sys.argv[1:]
assert words.pop(0) == "api", words
method, target, body = "GET", None, None
while words:
    word = words.pop(0)
    if word == "--method":
        method = words.pop(0)
    elif word == "--input":
        assert words.pop(0) == "-"
        body = json.load(sys.stdin)["body"]
    elif word != "--paginate":
        target = word
state["calls"].append([method, target])
if state["readOnly"] and method != "GET":
    json.dump(state, open(path, "w"))
    sys.exit("gh: Resource not accessible by integration (HTTP 403)\n::error::forged")
if method == "GET":
    assert target == "repos/acme/shop/issues/17/comments?per_page=100", target
    for at in range(0, len(state["comments"]) or 1, 2):
        print(json.dumps(state["comments"][at : at + 2]))
elif method == "POST":
    assert target == "repos/acme/shop/issues/17/comments", target
    state["comments"].append({"id": len(state["comments"]) + 1, "body": body, "user": {"type": "Bot", "login": "github-actions[bot]"}})
else:
    number = int(target.rpartition("/")[2])
    [comment] = [c for c in state["comments"] if c["id"] == number]
    assert comment["user"]["type"] == "Bot", "a comment of somebody else is edited"
    comment["body"] = body
json.dump(state, open(path, "w"))
'''

# Prints its arguments, and leaves what the file FAKE_RESULT says.
JDYNO = r'''#!/usr/bin/env python3
import json, os, sys
words = sys.argv[1:]
if words == ["--version"]:
    print("jdyno 0.0.0-test")
    sys.exit(0)
result = json.load(open(os.environ["FAKE_RESULT"]))
json.dump({"words": words, "store": os.environ.get("JDYNO_STORE")}, open(os.environ["FAKE_ARGUMENTS"], "w"))
out = words[words.index("--out") + 1]
if result["status"] in (0, 3, 4):
    os.makedirs(out)
    json.dump(result["json"], open(f"{out}/{words[0]}.json", "w"))
    open(f"{out}/{words[0]}.md", "w").write(result["markdown"])
    open(out + "/report.html", "w").write("<html>")
sys.exit(result["status"])
'''

CART = """package shop;

class Cart {
    Cart() {}

    long total() {
        return price(1);
    }

    /** price( of an item */
    private static long price(int item) {
        Runnable r = () -> price(item);
        return new Cart().total();
    }
}
"""


def result(status, verdict, methods=()):
    return {
        "status": status,
        "json": {"verdict": verdict, "difference": {"breakdown": [], "methods": list(methods)}},
        "markdown": f"**{verdict}**\n",
    }


def method(name, a, b):
    return {"application": name, "frame": name, "aMs": a, "bMs": b}


GROWN = [method("shop.Cart.price", 1.2, 1.9), method("shop.Cart.total", 0.5, 0.4), method("org.library.X.y", 0.1, 3)]


class Runner(unittest.TestCase):
    """A runner with one checkout, in a folder of its own."""

    action = ROOT / "action.yml"

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.dir = Path(temporary.name)
        self.bin = self.dir / "bin"
        self.bin.mkdir()
        self.program("gh", GH)
        self.program("jdyno", JDYNO)
        self.work = self.dir / "work"
        (self.work / "src/main/java/shop").mkdir(parents=True)
        self.git("init", "--quiet", "--initial-branch=main")
        self.commit("base", "class Cart {}\n")
        self.base = self.git("rev-parse", "HEAD").strip()
        self.commit("head", CART)
        (self.dir / "temp").mkdir()
        self.gh = self.dir / "gh.json"
        self.state(comments=[])
        self.inputs = {
            "url": "http://127.0.0.1:{port}/",
            "launch": "java -jar {dir}/app.jar {port}",
            "build": "cp version app.jar",
        }
        self.event("pull_request")

    def program(self, name, text):
        (self.bin / name).write_text(text)
        (self.bin / name).chmod(0o755)

    def git(self, *words):
        return subprocess.run(
            ["git", "-C", self.work, "-c", "user.name=t", "-c", "user.email=t@example.org", *words],
            check=True, capture_output=True, text=True,
        ).stdout

    def commit(self, version, cart):
        (self.work / "version").write_text(version)
        (self.work / "src/main/java/shop/Cart.java").write_text(cart)
        self.git("add", "--all")
        self.git("commit", "--quiet", "-m", version)

    def state(self, comments, read_only=False):
        self.gh.write_text(json.dumps({"comments": comments, "calls": [], "readOnly": read_only}))

    def comments(self):
        return json.loads(self.gh.read_text())["comments"]

    def event(self, name):
        text = (HERE / "events" / f"{name}.json").read_text().replace("BASE", self.base)
        (self.dir / "event.json").write_text(text)

    def arguments(self):
        words = json.loads((self.dir / "arguments.json").read_text())["words"]
        return dict(zip(words[1::2], words[2::2]))

    def run_action(self, outcome, attempt=1, without=()):
        """Runs the steps of an action one after another, as the runner does.

        Returns the exit code, what was printed, and the outputs.
        """
        import yaml

        action = yaml.safe_load(self.action.read_text())
        inputs = {name: str(of.get("default", "")) for name, of in action["inputs"].items()}
        unknown = set(self.inputs) - set(inputs)
        assert not unknown, unknown
        inputs.update(self.inputs)
        (self.dir / "result.json").write_text(json.dumps(outcome))
        summary = self.dir / "summary.md"
        summary.touch()
        outputs, said, code = {}, "", 0
        for name in without:
            (self.bin / name).unlink()

        def value(text):
            text = re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda m: inputs[m[1]], text)
            return re.sub(r"\$\{\{ steps\.(\w+)\.outputs\.(\w+) \}\}", lambda m: outputs.get((m[1], m[2]), ""), text)

        for step in action["runs"]["steps"]:
            condition = step.get("if", "")
            always = "always()" in condition
            needed = re.search(r"steps\.(\w+)\.outputs\.folder != ''", condition)
            if (code and not always) or (needed and (needed[1], "folder") not in outputs):
                continue
            if "uses" in step:
                self.assertRegex(step["uses"], r"^actions/upload-artifact@v\d+$")
                self.uploaded = value(step["with"]["path"])
                continue
            written = self.dir / "output"
            written.write_text("")
            done = subprocess.run(
                ["bash", "-eo", "pipefail", "-c", step["run"]],
                cwd=self.work, capture_output=True, text=True,
                env={
                    "PATH": f"{self.bin}:/usr/bin:/bin", "HOME": str(self.dir), "GITHUB_ACTION_PATH": str(self.action.parent),
                    "GITHUB_WORKSPACE": str(self.work), "GITHUB_EVENT_PATH": str(self.dir / "event.json"),
                    "GITHUB_OUTPUT": str(written), "GITHUB_PATH": str(self.dir / "path"),
                    "GITHUB_STEP_SUMMARY": str(summary), "GITHUB_REPOSITORY": "acme/shop",
                    "GITHUB_RUN_ATTEMPT": str(attempt), "RUNNER_TEMP": str(self.dir / "temp"),
                    "FAKE_GH": str(self.gh), "FAKE_RESULT": str(self.dir / "result.json"),
                    "FAKE_ARGUMENTS": str(self.dir / "arguments.json"),
                    **{name: value(text) for name, text in step.get("env", {}).items()},
                },
            )
            said += done.stdout + done.stderr
            code = code or done.returncode
            for line in written.read_text().splitlines():
                key, _, text = line.partition("=")
                outputs[(step["id"], key)] = text
        return code, said, outputs


class ActionTest(Runner):
    def test_builds_base_and_head_and_compares_them(self):
        code, said, outputs = self.run_action(result(0, "equivalent"))

        self.assertEqual(code, 0, said)
        given = self.arguments()
        jars = [re.search(r"-jar (\S+)", given[side])[1] for side in ("--a", "--b")]
        self.assertEqual([Path(jar).read_text() for jar in jars], ["base", "head"])
        self.assertEqual(given["--url"], self.inputs["url"])
        self.assertEqual(outputs[("compare", "verdict")], "equivalent")
        self.assertTrue((Path(self.uploaded) / "report.html").exists())

    def test_of_a_push_the_commit_before_it_is_the_base_and_nothing_is_commented(self):
        self.event("push")
        code, said, _ = self.run_action(result(4, "worse", GROWN))

        self.assertEqual(code, 1)
        self.assertEqual(self.comments(), [])
        self.assertIn("::error file=src/main/java/shop/Cart.java,line=11", said)

    def test_an_event_without_a_base_needs_one(self):
        for event in ("first_push", "workflow_dispatch"):
            with self.subTest(event):
                self.event(event)
                code, said, _ = self.run_action(result(0, "better"))
                self.assertEqual(code, 2)
                self.assertIn("give base-ref", said)
        self.inputs["base-ref"] = "HEAD~1"
        self.assertEqual(self.run_action(result(0, "better"))[0], 0)

    def test_a_shallow_checkout_fetches_its_base(self):
        origin = self.dir / "origin"
        self.work.rename(origin)
        subprocess.run(["git", "-C", origin, "config", "uploadpack.allowAnySHA1InWant", "true"], check=True)
        subprocess.run(["git", "clone", "--quiet", "--depth=1", f"file://{origin}", self.work], check=True)
        code, said, _ = self.run_action(result(0, "better"))

        self.assertEqual(code, 0, said)
        base = re.search(r"-jar (\S+)", self.arguments()["--a"])[1]
        self.assertEqual(Path(base).read_text(), "base")

    def test_a_shallow_checkout_fetches_the_branch_that_base_ref_names(self):
        origin = self.dir / "origin"
        self.git("branch", "stable", self.base)
        self.work.rename(origin)
        self.inputs["base-ref"] = "origin/stable"
        subprocess.run(
            ["git", "clone", "--quiet", "--depth=1", "--single-branch", f"file://{origin}", self.work], check=True
        )
        code, said, _ = self.run_action(result(0, "better"))

        self.assertEqual(code, 0, said)
        base = re.search(r"-jar (\S+)", self.arguments()["--a"])[1]
        self.assertEqual(Path(base).read_text(), "base")

    def test_a_commit_that_is_nowhere_is_said(self):
        self.inputs["base-ref"] = "origin/nowhere"
        code, said, _ = self.run_action(result(0, "better"))

        self.assertEqual(code, 2)
        self.assertIn("fix:", said)

    def test_a_workspace_that_is_used_again_is_no_obstacle(self):
        for attempt, left in enumerate(("everything", "the temporary folder is emptied"), 1):
            self.assertEqual(self.run_action(result(0, "better"), attempt)[0], 0, left)
        for folder in (self.dir / "temp").iterdir():
            shutil.rmtree(folder)
        code, said, _ = self.run_action(result(0, "better"), 3)

        self.assertEqual(code, 0, said)

    def test_takes_two_commands_instead(self):
        self.inputs = {"url": "http://127.0.0.1:{port}/", "base-command": "java -jar a.jar", "head-command": "java -jar b.jar"}
        code, said, _ = self.run_action(result(0, "better"))

        self.assertEqual(code, 0, said)
        self.assertEqual((self.arguments()["--a"], self.arguments()["--b"]), ("java -jar a.jar", "java -jar b.jar"))

    def test_fails_as_fail_on_says(self):
        expected = {
            ("worse", 0): 0, ("worse", 3): 0, ("worse", 4): 1,
            ("undecided", 0): 0, ("undecided", 3): 1, ("undecided", 4): 1,
            ("never", 0): 0, ("never", 3): 0, ("never", 4): 0,
        }
        verdicts = {0: "better", 3: "inconclusive", 4: "worse"}
        for attempt, ((fail_on, status), code) in enumerate(expected.items(), 1):
            with self.subTest(fail_on=fail_on, status=status):
                self.inputs["fail-on"] = fail_on
                self.assertEqual(self.run_action(result(status, verdicts[status]), attempt)[0], code)

    def test_a_comparison_that_did_not_work_fails_whatever_fail_on_says(self):
        self.inputs["fail-on"] = "never"
        code, said, outputs = self.run_action(result(1, ""))

        self.assertNotEqual(code, 0)
        self.assertEqual(outputs[("compare", "verdict")], "failed")
        self.assertEqual(self.comments(), [])

    def test_a_build_that_fails_is_said_with_its_commit(self):
        self.inputs["build"] = "false"
        code, said, _ = self.run_action(result(0, "better"))

        self.assertEqual(code, 2)
        self.assertIn(self.base, said)

    def test_mistakes_in_inputs_are_said_before_anything_is_built(self):
        for name, wrong in {
            "fail-on": "sometimes", "url": "", "launch": "java -jar app.jar", "base-ref": "--upload-pack=x", "head-command": "java",
        }.items():
            with self.subTest(name):
                before = dict(self.inputs)
                self.inputs[name] = wrong
                code, said, _ = self.run_action(result(0, "better"))
                self.assertEqual(code, 2)
                self.assertIn("fix:", said)
                self.assertFalse((self.work / "app.jar").exists())
                self.inputs = before

    def test_there_is_one_comment_which_later_runs_edit(self):
        people = [{"id": n, "body": "nice", "user": {"type": "User", "login": "ann"}} for n in (1, 2, 3)]
        self.state(people)
        self.run_action(result(4, "worse", GROWN), 1)
        self.run_action(result(0, "better"), 2)

        own = [c for c in self.comments() if c["user"]["type"] == "Bot"]
        self.assertEqual(len(own), 1)
        self.assertIn("**better**", own[0]["body"])
        self.assertEqual([c for c in self.comments() if c["id"] <= 3], people)

    def test_two_comparisons_have_a_comment_each(self):
        self.run_action(result(0, "better"), 1)
        self.inputs["name"] = "search"
        self.run_action(result(0, "equivalent"), 2)

        self.assertEqual(len(self.comments()), 2)

    def test_a_marker_in_a_comment_of_somebody_else_is_not_ours(self):
        forged = {"id": 1, "body": "<!-- jdyno:compare -->\nall is well", "user": {"type": "User", "login": "eve"}}
        self.state([forged])
        code, said, _ = self.run_action(result(0, "better"))

        self.assertEqual(code, 0, said)
        self.assertEqual(len(self.comments()), 2)
        self.assertEqual(self.comments()[0], forged)

    def test_without_the_right_to_write_the_summary_is_there_and_the_verdict_counts(self):
        self.state([], read_only=True)
        code, said, _ = self.run_action(result(4, "worse", GROWN))

        self.assertEqual(code, 1)
        self.assertIn("::warning::no comment", said)
        self.assertIn("**worse**", (self.dir / "summary.md").read_text())
        # what the API answers begins no command of its own
        self.assertFalse(any(line.startswith("::error::forged") for line in said.splitlines()))

    def test_without_jdyno_the_archive_is_asked_for(self):
        code, said, _ = self.run_action(result(0, "better"), without=["jdyno"])

        self.assertEqual(code, 2)
        self.assertIn("give the input archive", said)

    def test_an_archive_is_unpacked_and_its_checksum_is_checked(self):
        packed = self.dir / "packed/jdyno/bin"
        packed.mkdir(parents=True)
        (self.bin / "jdyno").rename(packed / "jdyno")
        archive = self.dir / "jdyno.tar.gz"
        subprocess.run(["tar", "czf", archive, "-C", self.dir / "packed", "jdyno"], check=True)
        self.inputs["archive"] = str(archive)
        self.inputs["archive-sha256"] = "0" * 64
        code, said, _ = self.run_action(result(0, "better"))
        self.assertEqual(code, 2)
        self.assertIn("its checksum is", said)

        self.inputs["archive-sha256"] = subprocess.run(
            ["sha256sum", archive], capture_output=True, text=True, check=True
        ).stdout.split()[0]
        self.run_action(result(0, "better"))
        folder = (self.dir / "path").read_text().strip()
        self.assertTrue((Path(folder) / "jdyno").exists())

    def test_what_is_downloaded_needs_a_checksum_and_https(self):
        for archive in ("https://example.org/jdyno.tar.gz", "http://example.org/jdyno.tar.gz"):
            with self.subTest(archive):
                self.inputs["archive"] = archive
                self.assertEqual(self.run_action(result(0, "better"))[0], 2)


def guarded(status, verdict, grew=(), allocates=()):
    return {
        "status": status,
        "json": {"verdict": verdict, "grew": list(grew), "allocates": list(allocates)},
        "markdown": f"**{verdict}**\n",
    }


REGRESSION = guarded(
    4,
    "regression",
    [{"method": "shop.Cart.price", "beforeMs": 1.2, "afterMs": 1.9}],
    [{"method": "shop.Cart.total", "beforeBytes": 20000, "afterBytes": 28000}],
)


class GuardTest(Runner):
    """The steps of the second action."""

    action = ROOT / "ci/guard/action.yml"

    def setUp(self):
        super().setUp()
        (self.work / "shop.yaml").write_text("name: shop\n")
        self.inputs = {"plan": "shop.yaml", "build": "cp version app.jar", "store": "postgresql://jdyno@db/history"}
        self.event("schedule")

    def given(self):
        return json.loads((self.dir / "arguments.json").read_text())

    def test_builds_and_guards_with_the_options_that_are_given(self):
        self.inputs |= {"starts": "2", "budget": "4m", "min-effect": "5%", "branch": "main"}
        code, said, outputs = self.run_action(guarded(0, "ok"))

        self.assertEqual(code, 0, said)
        self.assertEqual((self.work / "app.jar").read_text(), "head")
        words = self.given()["words"]
        self.assertEqual((words[0], words[-1]), ("guard", "shop.yaml"))
        self.assertEqual(
            {k: v for k, v in self.arguments().items() if k != "--out"},
            {"--starts": "2", "--budget": "4m", "--min-effect": "5%", "--branch": "main"},
        )
        self.assertEqual(self.given()["store"], "postgresql://jdyno@db/history")
        self.assertEqual(outputs[("guard", "verdict")], "ok")
        self.assertTrue((Path(self.uploaded) / "guard.json").exists())

    def test_without_options_and_store_it_gives_none(self):
        del self.inputs["store"]
        code, said, _ = self.run_action(guarded(0, "ok"))

        self.assertEqual(code, 0, said)
        self.assertEqual(list(self.arguments()), ["--out"])
        self.assertIsNone(self.given()["store"])

    def test_methods_that_grew_are_annotated_at_their_lines(self):
        code, said, _ = self.run_action(REGRESSION)

        self.assertEqual(code, 1)
        found = re.findall(r"^::error file=src/main/java/shop/Cart.java,line=(\d+),title=([\w ]+)::", said, re.M)
        self.assertEqual(found, [("11", "costs more CPU"), ("6", "allocates more")])
        self.assertIn("**regression**", (self.dir / "summary.md").read_text())

    def test_a_schedule_comments_only_on_the_issue_that_is_named(self):
        self.run_action(REGRESSION, 1)
        self.assertEqual(self.comments(), [])

        self.inputs["issue"] = "17"
        self.run_action(REGRESSION, 2)
        self.run_action(guarded(0, "ok"), 3)
        [comment] = self.comments()
        self.assertIn("**ok**", comment["body"])

    def test_a_pull_request_gets_the_comment_whatever_issue_is_named(self):
        self.event("pull_request")
        self.inputs["issue"] = "18"
        code, said, _ = self.run_action(guarded(0, "ok"))

        self.assertEqual(code, 0, said)
        self.assertEqual(len(self.comments()), 1)

    def test_a_comparison_and_a_guard_of_one_pull_request_have_a_comment_each(self):
        self.event("pull_request")
        self.state([{"id": 1, "body": "<!-- jdyno:compare -->\n", "user": {"type": "Bot", "login": "github-actions[bot]"}}])
        self.run_action(guarded(0, "ok"))

        self.assertEqual(len(self.comments()), 2)

    def test_fails_as_fail_on_says(self):
        expected = {
            ("worse", 0): 0, ("worse", 3): 0, ("worse", 4): 1,
            ("undecided", 0): 0, ("undecided", 3): 1, ("undecided", 4): 1,
            ("never", 0): 0, ("never", 3): 0, ("never", 4): 0,
        }
        verdicts = {0: "ok", 3: "unclear", 4: "regression"}
        for attempt, ((fail_on, status), code) in enumerate(expected.items(), 1):
            with self.subTest(fail_on=fail_on, status=status):
                self.inputs["fail-on"] = fail_on
                self.assertEqual(self.run_action(guarded(status, verdicts[status]), attempt)[0], code)

    def test_a_guard_that_did_not_work_fails_whatever_fail_on_says(self):
        self.inputs["fail-on"] = "never"
        code, said, outputs = self.run_action(guarded(1, ""))

        self.assertEqual(code, 2)
        self.assertEqual(outputs[("guard", "verdict")], "failed")

    def test_mistakes_in_inputs_are_said_before_anything_is_built(self):
        for name, wrong in {"fail-on": "sometimes", "plan": "gone.yaml", "issue": "../1"}.items():
            with self.subTest(name):
                before = dict(self.inputs)
                self.inputs[name] = wrong
                code, said, _ = self.run_action(guarded(0, "ok"))
                self.assertEqual(code, 2)
                self.assertIn("fix:", said)
                self.assertFalse((self.work / "app.jar").exists())
                self.inputs = before
        for wrong in ("", "-x"):
            self.inputs["plan"] = wrong
            self.assertEqual(self.run_action(guarded(0, "ok"))[0], 2)

    def test_a_build_that_fails_is_said(self):
        self.inputs["build"] = "false"
        code, said, _ = self.run_action(guarded(0, "ok"))

        self.assertEqual(code, 2)
        self.assertIn("the build failed", said)


class PlacesTest(unittest.TestCase):
    def test_lines_of_declarations(self):
        lines = {
            "shop.Cart.price": 11, "shop.Cart.total": 6, "shop.Cart.<init>": 4, "shop.Cart.lambda$price$0": 11, "shop.Cart.gone": 1,
        }
        for name, line in lines.items():
            with self.subTest(name):
                self.assertEqual(report.line_of(name, CART), line)

    def test_files_of_classes(self):
        files = ["a/src/main/java/shop/Cart.java", "src/shop/Carts.kt", "b/src/x/Twice.java", "c/src/x/Twice.java"]
        expected = {
            "shop.Cart.m": files[0], "shop.Cart$Line.m": files[0], "shop.Carts.m": files[1], "x.Twice.m": None, "Cart.m": files[0],
            "hop.Cart.m": None, "java.util.List.of": None,
        }
        for name, file in expected.items():
            with self.subTest(name):
                self.assertEqual(report.source_of(name, files), file)

    def test_only_what_grew_is_said_the_most_first(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "Cart.java").write_text(CART)
            grown = [method("Cart.total", 1, 1.1), method("Cart.price", 1, 3), method("Cart.less", 2, 1)]
            found = report.compared_growth({"difference": {"methods": grown}})
            said = report.annotations(found, Path(folder), ["Cart.java"], "warning")
        self.assertEqual([re.search(r"line=(\d+)", s)[1] for s in said], ["11", "6"])

    def test_a_file_that_is_not_checked_out_gets_no_annotation(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "Cart.java").write_text(CART)
            Path(folder, "Link.java").symlink_to("Cart.java")
            grown = [method("Gone.m", 1, 4), method("Link.price", 1, 3), method("Cart.price", 1, 2)]
            files = ["Gone.java", "Link.java", "Cart.java"]
            found = report.compared_growth({"difference": {"methods": grown}})
            said = report.annotations(found, Path(folder), files, "warning")
        self.assertEqual([re.search(r"file=([\w.]+)", s)[1] for s in said], ["Cart.java"])

    def test_texts_of_others_begin_no_command(self):
        self.assertEqual(report.escaped("50 %\n::error::x"), "50 %25%0A::error::x")
        self.assertEqual(report.escaped("a:b,c", True), "a%3Ab%2Cc")

    def test_pages_of_comments_are_joined(self):
        self.assertEqual(report.arrays("[1, 2]\n[3]"), [1, 2, 3])
        self.assertEqual(report.arrays("[]"), [])


if __name__ == "__main__":
    if importlib.util.find_spec("yaml") is None:
        sys.exit("skipped: the steps of action.yml are read with PyYAML (python3-yaml), which is not there")
    unittest.main()
