#!/usr/bin/env bash
# Builds base and head, or takes two commands, and compares them. Outputs: folder, status (the exit code of jdyno compare)
# and verdict. It fails only where nothing could be compared; the last step fails the job by fail-on.
set -euo pipefail

fail() { printf '::error::%s\n' "$1"; printf 'error: %s\n  why: %s\n  fix: %s\n' "$1" "$2" "$3" >&2; exit 2; }

case ${JDYNO_FAIL_ON:-worse} in
  worse | undecided | never) ;;
  *) fail "fail-on is $JDYNO_FAIL_ON" "it says when the job fails" "write worse, undecided or never" ;;
esac
[ -n "${JDYNO_URL-}" ] || fail "there is no url" "nothing says what to load" "give the input url, with {port} for the port"

# The commit to compare with: as given, or by the event.
base_of_event() {
  python3 - "$GITHUB_EVENT_PATH" <<'PYTHON'
import json, sys

with open(sys.argv[1], encoding="utf-8") as file:
    event = json.load(file)
base = event.get("pull_request", {}).get("base", {}).get("sha") or event.get("merge_group", {}).get("base_sha") or event.get("before") or ""
print("" if set(base) == {"0"} else base)
PYTHON
}

if [ -n "${JDYNO_BASE_COMMAND-}" ] && [ -n "${JDYNO_HEAD_COMMAND-}" ]; then
  a=$JDYNO_BASE_COMMAND
  b=$JDYNO_HEAD_COMMAND
elif [ -n "${JDYNO_BASE_COMMAND-}${JDYNO_HEAD_COMMAND-}" ]; then
  fail "one of two commands is missing" "base-command and head-command belong together" "give both, or launch and build"
else
  [ -n "${JDYNO_LAUNCH-}" ] || fail "nothing says how to start the service" "launch, base-command and head-command are empty" \
    'give launch: java -jar {dir}/target/app.jar --server.port={port}'
  case $JDYNO_LAUNCH in *'{dir}'*) ;; *) fail "launch has no {dir}" "base and head would be the same" 'write {dir}/target/app.jar' ;; esac
  base=${JDYNO_BASE_REF:-$(base_of_event)}
  [ -n "$base" ] || fail "there is no commit to compare with" "the event names none" "give base-ref, such as origin/main"
  case $base in -*) fail "base-ref is $base" "it is no commit" "give a commit, a tag or a branch" ;; esac
  head=$GITHUB_WORKSPACE
  before=${RUNNER_TEMP:?}/jdyno-base-${JDYNO_NAME//[^A-Za-z0-9_-]/-}
  case $head$before in *[[:space:]\'\"]*) fail "a checkout has a blank or a quote in its path" "$head, $before" "use another workspace" ;; esac
  cd "$head"
  # in a shallow checkout there is no origin/main; the remote calls it main
  git rev-parse --quiet --verify "$base^{commit}" >/dev/null || git fetch --no-tags --depth=1 origin "${base#origin/}" ||
    fail "there is no commit $base" "neither this checkout nor its origin has it" "give a base-ref that origin has, such as main"
  commit=$(git rev-parse --quiet --verify "$base^{commit}" || git rev-parse --verify 'FETCH_HEAD^{commit}')
  if [ -e "$before" ]; then git worktree remove --force "$before"; fi
  git worktree prune
  git worktree add --detach --quiet "$before" "$commit"
  for tree in "$before" "$head"; do
    if [ -n "${JDYNO_BUILD-}" ]; then
      echo "::group::build in $tree"
      (cd "$tree" && bash -eo pipefail -c "$JDYNO_BUILD") || fail "the build failed in $tree" "its output is above" \
        "correct it; base is $commit"
      echo "::endgroup::"
    fi
  done
  a=${JDYNO_LAUNCH//'{dir}'/$before}
  b=${JDYNO_LAUNCH//'{dir}'/$head}
fi

folder=${RUNNER_TEMP:?}/jdyno-${JDYNO_NAME//[^A-Za-z0-9_-]/-}-${GITHUB_RUN_ATTEMPT:-1}
status=0
jdyno compare --url "$JDYNO_URL" --a "$a" --b "$b" --primary "${JDYNO_PRIMARY:-cpuMsPerRequest}" \
  --min-effect "${JDYNO_MIN_EFFECT:-3%}" --budget "${JDYNO_BUDGET:-8m}" --no-store --out "$folder" || status=$?
verdict=failed
if [ -r "$folder/compare.json" ]; then
  verdict=$(python3 -c 'import json,sys; print(json.load(open(sys.argv[1], encoding="utf-8"))["verdict"])' "$folder/compare.json")
fi
{
  echo "status=$status"
  echo "verdict=$verdict"
  if [ -d "$folder" ]; then echo "folder=$folder"; fi
} >>"$GITHUB_OUTPUT"
case $status in
  0 | 3 | 4) ;;
  *) fail "jdyno compare ended with $status" "its output is above" "run the same command on your machine" ;;
esac
