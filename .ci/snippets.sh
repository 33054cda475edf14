#!/usr/bin/env bash
# Checks both actions, and the GitHub and GitLab files that docs/ci.md and docs/guard.md show, against the schemas that these
# servers publish. And checks itself: a file with a misspelt key must fail. Only a Jenkins can check a Jenkinsfile.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=target/snippets
if [ ! -x "$venv/bin/check-jsonschema" ]; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install -q --disable-pip-version-check --no-deps -r .ci/snippets.txt
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 - "$folder" docs/ci.md docs/guard.md <<'PYTHON'
import pathlib, re, sys

folder, *pages = map(pathlib.Path, sys.argv[1:])
counts = {"github": 0, "gitlab": 0}
for page in pages:
    for text in re.findall(r"^```yaml\n(.*?)^```", page.read_text(encoding="utf-8"), re.S | re.M):
        server = "github" if "runs-on:" in text else "gitlab" if "script:" in text else None
        if server:
            counts[server] += 1
            (folder / f"{page.stem}-{counts[server]}.{server}.yml").write_text(text, encoding="utf-8")
if not all(counts.values()):
    sys.exit(f"error: the pages show no file of a server: {counts}")
PYTHON
check() { "$venv/bin/check-jsonschema" --quiet --builtin-schema "vendor.$1" "${@:2}"; }
check gitlab-ci "$folder"/*.gitlab.yml
check github-workflows "$folder"/*.github.yml
check github-actions action.yml ci/guard/action.yml
sed 's/allow_failure: {exit_codes/allow_failure: {exit_code/' "$folder/ci-1.gitlab.yml" >"$folder/wrong.yml"
sed 's/runs-on:/runs_on:/' "$folder/ci-1.github.yml" >"$folder/wrong-too.yml"
if check gitlab-ci "$folder/wrong.yml" >/dev/null 2>&1 || check github-workflows "$folder/wrong-too.yml" >/dev/null 2>&1; then
  echo "error: the check takes a file with an unknown key" >&2
  exit 1
fi
echo "actions and CI files of the pages: as GitHub's and GitLab's schemas say"
