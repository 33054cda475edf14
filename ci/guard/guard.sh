#!/usr/bin/env bash
# Builds the service and guards its plan. Outputs: folder, status (the exit code of jdyno guard) and verdict. It fails only
# where nothing could be judged; the last step fails the job by fail-on.
set -euo pipefail

fail() { printf '::error::%s\n' "$1"; printf 'error: %s\n  why: %s\n  fix: %s\n' "$1" "$2" "$3" >&2; exit 2; }

case ${JDYNO_FAIL_ON:-worse} in
  worse | undecided | never) ;;
  *) fail "fail-on is $JDYNO_FAIL_ON" "it says when the job fails" "write worse, undecided or never" ;;
esac
case ${JDYNO_ISSUE-} in
  *[!0-9]*) fail "issue is $JDYNO_ISSUE" "it is no number" "give the number of an issue of this repository, such as 12" ;;
esac
[ -n "${JDYNO_PLAN-}" ] || fail "there is no plan" "nothing says what to guard" "give the input plan, such as perf/shop.yaml"
cd "$GITHUB_WORKSPACE"
case $JDYNO_PLAN in -*) fail "plan is $JDYNO_PLAN" "it is no path" "give the path from the workspace, such as perf/shop.yaml" ;; esac
[ -r "$JDYNO_PLAN" ] || fail "there is no plan $JDYNO_PLAN" "the file is missing or cannot be read" "give the path from the workspace"

if [ -n "${JDYNO_BUILD-}" ]; then
  echo "::group::build"
  bash -eo pipefail -c "$JDYNO_BUILD" || fail "the build failed" "its output is above" "correct it"
  echo "::endgroup::"
fi

folder=${RUNNER_TEMP:?}/jdyno-${JDYNO_NAME//[^A-Za-z0-9_-]/-}-${GITHUB_RUN_ATTEMPT:-1}
options=(--out "$folder")
option() { if [ -n "$2" ]; then options+=("$1" "$2"); fi; }
option --starts "${JDYNO_STARTS-}"
option --budget "${JDYNO_BUDGET-}"
option --min-effect "${JDYNO_MIN_EFFECT-}"
option --branch "${JDYNO_BRANCH-}"
# an empty variable would name a store
if [ -z "${JDYNO_STORE-}" ]; then unset JDYNO_STORE; fi
status=0
jdyno guard "${options[@]}" "$JDYNO_PLAN" || status=$?
verdict=failed
if [ -r "$folder/guard.json" ]; then
  verdict=$(python3 -c 'import json,sys; print(json.load(open(sys.argv[1], encoding="utf-8"))["verdict"])' "$folder/guard.json")
fi
{
  echo "status=$status"
  echo "verdict=$verdict"
  if [ -r "$folder/guard.json" ]; then echo "folder=$folder"; fi
} >>"$GITHUB_OUTPUT"
case $status in
  0 | 3 | 4) ;;
  *) fail "jdyno guard ended with $status" "its output is above" "run the same command on your machine" ;;
esac
