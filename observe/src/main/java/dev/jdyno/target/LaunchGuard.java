package dev.jdyno.target;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// Ends a launched command when jdyno is killed: a shell in a separate session that waits for the
/// end of a pipe from jdyno. A line on the pipe means that jdyno has ended the command itself.
final class LaunchGuard {
    /// The script. `$1` is the launched process, `$2` its start in ticks, and `$3` the mark. `$4`
    /// is the seconds between SIGTERM and SIGKILL. `$5` is the session, or 0 if it has none of its
    /// own.
    ///
    /// It finds the same processes as {@link LaunchTree}. Each is stored with its start
    /// (`pid/ticks`), which distinguishes it from a later process with its pid; so it is still
    /// known when its parent has ended. `now` contains the living ones.
    ///
    /// Session 0 never belongs to the command: kernel threads have it, and in a container all
    /// processes that came from outside.
    static final String SCRIPT =
            """
            trap '' INT TERM HUP
            read -r told && exit 0
            pid=$1 started=$2 mark=$3 grace=$4 session=$5 all=' ' now=' '
            fields() {
              s=
              while IFS= read -r line || [ -n "$line" ]; do s="$s$line "; done <"$1/stat" || return 1
              [ -n "$s" ]
            } 2>/dev/null
            is_in() { case $2 in *" $1"*) return 0 ;; esac; return 1; }
            look() {
              table= now=' ' own=$session
              if fields "/proc/$pid"; then
                set -- ${s##*) }
                [ "${20}" = "$started" ] || own=0
              fi
              for folder in /proc/[0-9]*; do
                fields "$folder" || continue
                p=${folder#/proc/}
                set -- ${s##*) }
                [ "$1" != Z ] || [ "${18:-1}" -gt 1 ] || continue
                [ "${20:-0}" -ge "$started" ] || continue
                e=$p/${20}
                table="$table $e/$2"
                if [ "$own" != 0 ] && [ "$4" = "$own" ] || is_in "$e " "$all"; then now="$now$e "; fi
              done
              marked=' '
              for file in $(grep -ls -- "$mark" /proc/[0-9]*/environ 2>/dev/null); do
                p=${file#/proc/}
                marked="$marked${p%/environ} "
              done
              more=1
              while [ -n "$more" ]; do
                more=
                for row in $table; do
                  p=${row%%/*} e=${row%/*} parent=${row##*/}
                  is_in "$e " "$now" && continue
                  if is_in "$p " "$marked" || is_in "$parent/" "$now"; then
                    now="$now$e " more=1
                  fi
                done
              done
            }
            same() { fields "/proc/${1%/*}" && set -- "$1" ${s##*) } && [ "${21}" = "${1#*/}" ]; }
            send() { same "$2" && kill -s "$1" "${2%/*}" 2>/dev/null; }
            waited=0
            while look; [ "$now" != ' ' ] && [ $waited -lt "$grace" ]; do
              for e in $now; do
                is_in "$e " "$all" && continue
                all="$all$e "
                send TERM "$e"
              done
              sleep 1
              waited=$((waited + 1))
            done
            tries=0
            while [ "$now" != ' ' ] && [ $tries -lt 30 ]; do
              for e in $now; do
                is_in "$e " "$all" || all="$all$e "
                send KILL "$e"
              done
              tries=$((tries + 1))
              [ $tries -lt 5 ] || sleep 1
              look
            done
            """;

    private final Process shell;

    private LaunchGuard(Process shell) {
        this.shell = shell;
    }

    /// @param setsid empty if it is not installed; the script ignores signals of the terminal
    static LaunchGuard start(Optional<String> setsid, LaunchTree tree) throws IOException {
        List<String> command = new ArrayList<>();
        setsid.ifPresent(command::add);
        command.addAll(
                List.of(
                        "sh",
                        "-c",
                        SCRIPT,
                        "jdyno-guard",
                        Long.toString(tree.pid()),
                        Long.toString(tree.startTicks()),
                        tree.mark().id(),
                        Long.toString(Target.STOP_LIMIT.toSeconds()),
                        tree.ownSession() ? Long.toString(tree.pid()) : "0"));
        return new LaunchGuard(
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start());
    }

    /// Acts as if jdyno was killed: ends the pipe without a line.
    ///
    /// @return completes when it has ended everything
    CompletableFuture<Process> endNow() throws IOException {
        shell.getOutputStream().close();
        return shell.onExit();
    }

    /// Ends the guard: it has nothing left to do.
    void dismiss() {
        try (OutputStream pipe = shell.getOutputStream()) {
            pipe.write('\n');
        } catch (IOException ended) {
            // the guard has ended, and ends nothing more
        }
    }
}
