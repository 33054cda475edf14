package dev.jdyno.target;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/// Restores the CPUs of a target. It is a shell in a separate session that waits for the end of a
/// pipe from jdyno. The pipe ends when jdyno closes it, and also when jdyno is killed in any way.
final class AffinityGuard {
    /// The script: `$0` is the target's pid, `$1` its start in ticks, `$2` its CPUs.
    ///
    /// It reads the threads with CPUs of their own, one per line, up to a line with a dot; without
    /// that line nothing was changed yet. `begun` gives the start time of a process or thread,
    /// which distinguishes it from another one with the same id. `taskset -a` changes the threads
    /// of one process. It is repeated until no thread of the target and its children is on other
    /// CPUs. After that, the threads with CPUs of their own get these back.
    private static final String SCRIPT =
            """
            trap '' INT TERM HUP
            own= ready=
            while read -r tid started cpus; do
              if [ "$tid" = . ]; then ready=1; break; fi
              own="$own $tid/$started/$cpus"
            done
            read -r _
            [ -n "$ready" ] || exit 0
            begun() {
              s=$(cat "/proc/$1/stat" 2>/dev/null) || return 0
              set -- ${s##*) }
              echo "${20}"
            }
            tree() {
              echo "$1"
              for c in $(cat "/proc/$1/task/"*/children 2>/dev/null); do tree "$c"; done
            }
            same() { [ "$(begun "$1")" = "$2" ]; }
            look=0 clean=0
            while [ $look -lt 50 ] && [ $clean -lt 2 ] && same "$0" "$1"; do
              look=$((look + 1)) clean=$((clean + 1))
              for p in $(tree "$0"); do
                lists=$(cat "/proc/$p/task/"*/status 2>/dev/null \\
                  | sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' | sort -u)
                [ "$lists" = "$2" ] && continue
                clean=0
                taskset -a -p -c "$2" "$p"
              done
            done
            for o in $own; do
              tid=${o%%/*} rest=${o#*/}
              same "$tid" "${rest%%/*}" && taskset -p -c "${rest#*/}" "$tid"
            done
            """;

    private AffinityGuard() {}

    /// @param common CPUs of the target, and of threads and processes that it creates
    /// @param own threads with other CPUs
    static Process start(Path setsid, Target target, String common, Map<TaskTree.Task, String> own)
            throws IOException {
        return start(setsid, target.pid(), target.startTicks().orElse("ended"), common, own);
    }

    static Process start(
            Path setsid, long pid, String startTicks, String common, Map<TaskTree.Task, String> own)
            throws IOException {
        Process guard =
                new ProcessBuilder(
                                setsid.toString(),
                                "sh",
                                "-c",
                                SCRIPT,
                                Long.toString(pid),
                                startTicks,
                                common)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        var reported = new PrintWriter(guard.outputWriter(StandardCharsets.UTF_8));
        own.forEach((task, cpus) ->
                reported.print(task.tid() + " " + task.started() + " " + cpus + "\n"));
        reported.print(".\n");
        reported.flush();
        if (reported.checkError()) {
            guard.destroyForcibly();
            throw new IOException("the shell that restores the CPUs ended at once");
        }
        return guard;
    }
}
