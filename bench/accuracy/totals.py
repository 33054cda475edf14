#!/usr/bin/env python3
"""Writes the tables of docs/accuracy.md and docs/truth.md, the READMEs' line about accuracy, and what report.html says of a confidence,
from the .tsv files beside this script.

totals.py           rewrites these files
totals.py --check   exit code 1 if they differ from what the data says
"""

import csv
import math
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def rows(name, folder=HERE):
    with open(folder / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def interval(right, runs):
    """Wilson's 95 % interval of a share, as fractions."""
    z = 1.959964
    share = right / runs
    middle = (share + z * z / (2 * runs)) / (1 + z * z / runs)
    half = z * math.sqrt(share * (1 - share) / runs + z * z / (4 * runs * runs)) / (1 + z * z / runs)
    return middle - half, middle + half


def share(right, runs):
    low, high = interval(right, runs)
    return f"{100 * right / runs:.0f} % ({100 * low:.0f} to {100 * high:.0f} %)"


def table(head, body):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in body]


def total(data, runs, right):
    return sum(int(row[runs]) for row in data), sum(int(row[right]) for row in data)


def main():
    planted = [row for row in rows("planted.tsv") if row["counts"] == "yes"]
    services = rows("services.tsv")
    diagnose = [row for row in rows("diagnose.tsv") if row["counts"] == "yes"]
    calibration = rows("calibration.tsv")
    files = rows("results.tsv", ROOT / "bench/files")

    planted_runs, planted_right = total(planted, "runs", "right")
    planted_sure = sum(
        float(wrong.split()[-1]) >= 0.9
        for row in planted
        for wrong in filter(None, (row["wrong"] or "").split("; "))
        if wrong.split()[-1] != "unknown"
    )
    all_services, all_right = total(services, "services", "right")
    sure = sum(int(row["wrong_at_0.9"]) for row in services)
    last = services[-3:]
    last_services, last_right = total(last, "services", "right")
    diagnose_runs, diagnose_right = total(diagnose, "runs", "right")
    files_wrong = [row for row in files if row["all files"].split()[0] not in row["expected"].split("|")]
    files_right = len(files) - len(files_wrong)
    files_sure = sum(float(row["all files"].split()[1]) >= 0.9 for row in files_wrong)

    summary = table(
        ["measured", "runs", "named right (95 % interval)", "wrong at 0.9 or more"],
        [
            ["lab cases with parameters the rules had not seen", planted_runs,
             f"{planted_right}, {share(planted_right, planted_runs)}", planted_sure],
            ["services of other authors under `jdyno run`", all_services,
             f"{all_right}, {share(all_right, all_services)}", sure],
            ["of these, the last three sets", last_services,
             f"{last_right}, {share(last_right, last_services)}", sum(int(r["wrong_at_0.9"]) for r in last)],
            ["services of other authors under `jdyno diagnose`", diagnose_runs,
             f"{diagnose_right}, {share(diagnose_right, diagnose_runs)}", "not counted"],
            ["lab cases by recorded files alone (`jdyno diagnose --files`)", len(files),
             f"{files_right}, {share(files_right, len(files))}", files_sure],
        ],
    )
    sets = table(
        ["set", "what it holds", "services", "right", "wrong at 0.9 or more"],
        [
            [f"[{row['set']}](../bench/accuracy/sets/{int(row['set']):02d}.md)", row["kind"], row["services"],
             f"{row['right']} ({100 * int(row['right']) / int(row['services']):.0f} %)", row["wrong_at_0.9"]]
            for row in services
        ],
    )
    believed = table(
        ["confidence of the first answer", "answers", "right (95 % interval)"],
        [
            [row["confidence"], row["answers"],
             f"{row['right']}, {share(int(row['right']), int(row['answers']))}"
             if int(row["right"]) else "0"]
            for row in calibration
        ],
    )
    readme = [
        f"| is right | on {all_services} services of other authors in {all_right}, {share(all_right, all_services)}; {sure} of the wrong answers had "
        f"a confidence of 0.9 or more. On {planted_runs} lab cases with parameters that the rules had not seen in {planted_right}, "
        f"{share(planted_right, planted_runs)}; {planted_sure} of the wrong ones had such a confidence. All on 2 shared cores, with client and service on "
        f"one machine; larger machines were not measured ([docs/accuracy.md](docs/accuracy.md)) |"
    ]
    chinese = [
        f"| 准确率 | 其他作者编写的 {all_services} 个服务中 {all_right} 个正确（{100 * all_right / all_services:.0f} %），"
        f"置信度达到 0.9 却判断错误的有 {sure} 个；参数未被规则见过的实验用例：{planted_runs} 次中 {planted_right} 次正确"
        f"（{100 * planted_right / planted_runs:.0f} %），置信度达到 0.9 却判断错误的有 {planted_sure} 次。"
        f"全部在共享的 2 核上测得，客户端与服务在同一台机器；更大的机器没有测过（[docs/accuracy.md](docs/accuracy.md)） |"
    ]
    pages = {
        "docs/accuracy.md": {"summary": summary, "sets": sets, "calibration": believed},
        "docs/truth.md": {"summary": summary, "calibration": believed},
        "README.md": {"accuracy": readme},
        "README.zh-CN.md": {"accuracy": chinese},
    }
    # least confidence of a row; the answers without a name have none
    least = {"0.9 and more": 0.9, "0.8 to 0.9": 0.8, "below 0.8": 0}
    in_report = ROOT / "report/src/main/resources/dev/jdyno/report/calibration.tsv"
    believed_in_report = "from\tanswers\tright\n" + "".join(
        f"{least[row['confidence']]}\t{row['answers']}\t{row['right']}\n" for row in calibration if row["confidence"] in least
    )
    stale = []
    if not in_report.exists() or in_report.read_text(encoding="utf-8") != believed_in_report:
        stale.append(str(in_report.relative_to(ROOT)))
        if "--check" not in sys.argv:
            in_report.write_text(believed_in_report, encoding="utf-8")
    for name, parts in pages.items():
        page = ROOT / name
        text = page.read_text(encoding="utf-8")
        new = text
        for part, lines in parts.items():
            if part == "accuracy":
                pattern, block = r"^\| (is right|准确率) \|.*$", lines[0]
            else:
                pattern = rf"<!-- {part} -->\n.*?<!-- /{part} -->"
                block = f"<!-- {part} -->\n" + "\n".join(lines) + f"\n<!-- /{part} -->"
            new, found = re.subn(pattern, lambda _: block, new, count=1, flags=re.S if part != "accuracy" else re.M)
            if not found:
                sys.exit(f"{name} has no place for '{part}'")
        if new != text:
            stale.append(name)
            if "--check" not in sys.argv:
                page.write_text(new, encoding="utf-8")
    if "--check" in sys.argv and stale:
        sys.exit(f"{', '.join(stale)}: run bench/accuracy/totals.py")
    print(f"lab {planted_right}/{planted_runs}, services {all_right}/{all_services}, diagnose {diagnose_right}/{diagnose_runs}")


if __name__ == "__main__":
    main()
