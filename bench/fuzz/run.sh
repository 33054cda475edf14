#!/usr/bin/env bash
# The long form of the fuzzing: Jazzer on every reader of foreign data, one after the other.
#   bench/fuzz/run.sh [SECONDS [TARGET ...]]     600 seconds for each of all targets unless said
# Needs JDK 25 and what `./mvnw test-compile` made. Inputs that break a target are left, with what was
# learnt, in target/fuzz/TARGET. See docs/fuzzing.md.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-600}
shift || true
jazzer=0.30.0
work=$PWD/target/fuzz
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
mkdir -p "$work"
# a plan names files and holds regular expressions: Jazzer takes both for holes
by_design=com.code_intelligence.jazzer.sanitizers.RegexInjection
by_design+=:com.code_intelligence.jazzer.sanitizers.FilePathTraversal
# Jazzer's jar is not a dependency of the project: only this script asks for it
[ -s "$work/classpath" ] || {
    ./mvnw -B -ntp -q -pl app -am test-compile dependency:build-classpath -Dmdep.outputFile="$work/classpath"
    ./mvnw -B -ntp -q dependency:get -Dartifact=com.code-intelligence:jazzer:$jazzer
}
maven=${MAVEN_REPO:-$HOME/.m2/repository}/com/code-intelligence
classpath=$PWD/app/target/test-classes:$PWD/app/target/classes:$(cat "$work/classpath")
classpath+=:$maven/jazzer/$jazzer/jazzer-$jazzer.jar:$maven/jazzer-api/$jazzer/jazzer-api-$jazzer.jar
cd app
"$java" -cp "$classpath" dev.jdyno.fuzz.Targets "$work/seeds" > "$work/targets"
while read -r name class; do
    if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then
        continue
    fi
    mkdir -p "$work/$name/corpus"
    echo "== $name, $seconds s"
    # libFuzzer cuts off what is longer
    longest=$(find "$work/seeds/$name" -type f -printf '%s\n' | sort -n | tail -1)
    # an input may take 60 s and 1 GiB of heap, with the fuzzer's own instruments
    nice -n 19 "$java" -Xmx1g -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED -cp "$classpath" \
        com.code_intelligence.jazzer.Jazzer --target_class="$class" \
        --instrumentation_includes='dev.jdyno.**:org.snakeyaml.**:tools.jackson.core.**' \
        --disabled_hooks="$by_design" \
        --keep_going=20 --reproducer_path="$work/$name" \
        -max_total_time="$seconds" -timeout=60 -max_len=$((longest * 3 / 2 + 5000)) -rss_limit_mb=0 -print_final_stats=1 \
        -artifact_prefix="$work/$name/" "$work/$name/corpus" "$work/seeds/$name" \
        > "$work/$name/log" 2>&1 < /dev/null || echo "   it found something"
    grep -E "== Java Exception|ALARM|ERROR" "$work/$name/log" | sort | uniq -c || true
    # once for each time that it went on after a finding
    awk '/stat::number_of_executed_units/ { n += $2 } END { print "   " n + 0 " executions" }' \
        "$work/$name/log"
done < "$work/targets"
