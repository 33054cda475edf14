#!/usr/bin/env python3
"""Says what a comparison or a guard found: job summary, annotations, one comment on the pull request, or on an issue, that
later runs edit.

Reads the folder of `jdyno compare` or `jdyno guard` and the environment of the action; ends with 1 where `fail-on` says so.
"""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

MOST_ANNOTATIONS = 10
# GitHub refuses a longer comment; the rest is in the artefact
MOST_COMMENT = 65_000
WORSE, UNDECIDED = 4, 3
FAILS = {"worse": {WORSE}, "undecided": {WORSE, UNDECIDED}, "never": set()}


def escaped(text, parameter=False):
    """As a workflow command spells it: a text of others must begin no second command."""
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text.replace(":", "%3A").replace(",", "%2C") if parameter else text


def source_of(method, files):
    """File of the repository that declares `a.b.C$D.m`, or None: it may be a library's."""
    owner, _, name = method.rpartition(".")
    outer = owner.split("$")[0].replace(".", "/")
    for ending in (".java", ".kt", ".scala"):
        # an exact path below some source root; a class without a package matches its file name
        found = [f for f in files if f == outer + ending or f.endswith("/" + outer + ending)]
        if len(found) == 1:
            return found[0]
    return None


def line_of(method, text):
    """Line on which the method is declared; 1 where it is not found."""
    owner, _, name = method.rpartition(".")
    if name.startswith("lambda$"):
        name = name.split("$")[1]
    if name in ("<init>", "new"):
        name = re.split(r"[.$]", owner)[-1]
    declared = re.compile(
        r"^\s*(?!return\b|new\b|throw\b|else\b|case\b|yield\b|//|\*)"
        r"(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:fun|def)\s+|(?:[\w.<>\[\],?&]+\s+)*)" + re.escape(name) + r"\s*(?:<[^>]*>)?\("
    )
    for number, line in enumerate(text.splitlines(), 1):
        if declared.match(line) and not line.rstrip().endswith(";"):
            return number
    return 1


def compared_growth(compared):
    """Method, title and text of each method whose CPU time grew, the one that grew most first."""
    methods = (compared.get("difference") or {}).get("methods", [])
    grown = sorted((m for m in methods if m["bMs"] > m["aMs"]), key=lambda m: m["aMs"] - m["bMs"])
    return [(m["application"], *cpu(m["application"], m["aMs"], m["bMs"])) for m in grown]


def guarded_growth(guarded):
    """The same of a guard, which names also the methods that allocate more."""
    cost = [(m["method"], *cpu(m["method"], m["beforeMs"], m["afterMs"])) for m in guarded.get("grew", [])]
    return cost + [
        (
            m["method"],
            "allocates more",
            f"{m['method']}: {m['beforeBytes']:,.0f} bytes a request before, {m['afterBytes']:,.0f} now",
        )
        for m in guarded.get("allocates", [])
    ]


def cpu(name, before, now):
    return "costs more CPU", f"{name}: {before:.3g} ms of CPU a request before, {now:.3g} ms now"


def annotations(grown, root, files, level):
    """One for each method that grew and whose source is in the repository."""
    said = []
    for name, title, text in grown:
        file = source_of(name, files)
        if file is None or len(said) == MOST_ANNOTATIONS:
            continue
        # git lists also what a sparse checkout or a build has left out, and links to anywhere
        path = root / file
        if path.is_symlink() or not path.is_file():
            continue
        line = line_of(name, path.read_text(encoding="utf-8", errors="replace"))
        said.append(
            f"::{level} file={escaped(file, True)},line={line},title={escaped(title, True)}::{escaped(text)}"
        )
    return said


def gh(*arguments, body=None):
    return subprocess.run(
        ["gh", "api", *arguments], input=body, text=True, capture_output=True, check=True
    ).stdout


def arrays(text):
    """`gh api --paginate` prints one JSON array for each page."""
    decoder, at, found = json.JSONDecoder(), 0, []
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        page, at = decoder.raw_decode(text, at)
        found += page
    return found


def comment(markdown, name, repository, pull):
    """Edits this comparison's comment of an earlier run, or writes the first one."""
    marker = f"<!-- jdyno:{re.sub('[^A-Za-z0-9_-]', '-', name)} -->"
    body = f"{marker}\n{markdown}"
    if len(body) > MOST_COMMENT:
        body = body[:MOST_COMMENT] + "\n\n(cut: the whole text is in the artefact)\n"
    all_of = arrays(gh("--paginate", f"repos/{repository}/issues/{pull}/comments?per_page=100"))
    # anybody can write the marker into a comment of his own
    own = [c for c in all_of if c["body"].startswith(marker) and c["user"]["type"] == "Bot"]
    sent = json.dumps({"body": body})
    if own:
        gh("--method", "PATCH", f"repos/{repository}/issues/comments/{own[0]['id']}", "--input", "-", body=sent)
        return "edited"
    gh("--method", "POST", f"repos/{repository}/issues/{pull}/comments", "--input", "-", body=sent)
    return "written"


def pull_of(event):
    return (event.get("pull_request") or {}).get("number")


# What a verb's document has: the methods that grew, and the verdict of a service that became worse.
VERBS = {"compare": (compared_growth, "worse"), "guard": (guarded_growth, "regression")}


def main():
    environment = os.environ
    folder = Path(environment["JDYNO_FOLDER"])
    status = int(environment["JDYNO_STATUS"])
    verb = environment.get("JDYNO_VERB") or "compare"
    growth, worse = VERBS[verb]
    name = environment.get("JDYNO_NAME") or verb
    fails = status in FAILS[environment.get("JDYNO_FAIL_ON") or "worse"]
    document = folder / f"{verb}.json"
    if not document.exists():
        sys.exit(f"error: {folder} has no {document.name}\n  why: nothing was judged\n  fix: see the step before")
    found = json.loads(document.read_text(encoding="utf-8"))
    markdown = f"### jdyno: {name}\n\n" + (folder / f"{verb}.md").read_text(encoding="utf-8")

    with open(environment["GITHUB_STEP_SUMMARY"], "a", encoding="utf-8") as summary:
        summary.write(markdown + "\n")

    root = Path(environment["GITHUB_WORKSPACE"])
    files = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z"], text=True, capture_output=True, check=True
    ).stdout.split("\0")
    if found["verdict"] == worse:
        print(*annotations(growth(found), root, files, "error" if fails else "warning"), sep="\n")

    event = json.loads(Path(environment["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
    # the comments of a pull request are those of the issue with its number
    pull = pull_of(event) or environment.get("JDYNO_ISSUE")
    if environment.get("JDYNO_COMMENT") == "true" and pull:
        try:
            done = comment(markdown, name, environment["GITHUB_REPOSITORY"], pull)
            print(f"comment {done}")
        except FileNotFoundError:
            print("::warning::no comment: there is no gh on this runner; the job summary has the same")
        except subprocess.CalledProcessError as e:
            # a pull request of a fork has a token that only reads
            print("::warning::" + escaped(f"no comment: {e.stderr.strip()}; the job summary has the same"))

    if fails:
        print(f"::error::{escaped(name)}: {escaped(found['verdict'])}")
        sys.exit(1)


if __name__ == "__main__":
    main()
