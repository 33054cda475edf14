package dev.jdyno.cluster.ssh;

import dev.jdyno.cluster.up.ReadyLines;
import dev.jdyno.measure.text.ShellText;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The scripts for the shell of a host. The shell reads them from its standard input ({@link
/// #SHELL}), so its own command line has no id: a process with the id on its command line belongs
/// to the agent.
final class Scripts {
    /// Runs a script from its standard input, whatever the login shell is.
    static final String SHELL = "exec sh -s";

    /// Prints the name of the system, and fails if the tools of the other scripts are missing.
    static final String PROBE =
            """
            for tool in tar gzip grep sed head tail sleep; do
              command -v $tool > /dev/null || { echo "there is no $tool" >&2; exit 3; }
            done
            uname -sm
            """;

    /// Folder of the agents, below the home folder.
    private static final String FOLDER = ".jdyno-agents/";

    private Scripts() {}

    /// Reads the package from standard input. It is the only command with an id on its command
    /// line. It ends before the agent is started, or is ended together with it.
    static String unpack(Place place) {
        return "cd && umask 077 && mkdir -p .jdyno-agents && mkdir "
                + FOLDER
                + place.id()
                + " && exec tar xzf - -C "
                + FOLDER
                + place.id();
    }

    /// Starts the agent so that it outlives the connection, waits until it is ready, and prints its
    /// output. An agent whose time is over ends with 0; then its folder is removed. After a failure
    /// the folder stays, because its log has the reason.
    ///
    /// @param life time after which the agent ends by itself; a part of a second is left out
    /// @param words additional words for `jdyno agent`
    static String start(Place place, String runKey, Duration life, List<String> words) {
        String all =
                Stream.concat(
                                Stream.of(
                                        "--listen",
                                        place.listen().toString(),
                                        "--run-key",
                                        runKey,
                                        "--for",
                                        life.toSeconds() + "s"),
                                words.stream())
                        .map(ShellText::quoted)
                        .collect(Collectors.joining(" "));
        return """
        cd && cd %1$s%2$s || exit 1
        umask 077
        trap '' HUP
        XDG_CACHE_HOME=$PWD/cache
        export XDG_CACHE_HOME
        (
          ./jdyno/bin/jdyno agent --own-key "$PWD/agent.key" %3$s || exit
          cd && rm -rf %1$s%2$s && rmdir .jdyno-agents
        ) > agent.log 2>&1 < /dev/null &
        agent=$!
        waited=0
        until grep -s -q '%4$s$' agent.log; do
          if ! kill -0 $agent 2> /dev/null; then
            tail -n 20 agent.log >&2
            exit 3
          fi
          waited=$((waited + 1))
          if [ $waited -gt 90 ]; then
            echo 'the agent is not ready after 90 s' >&2
            exit 3
          fi
          sleep 1
        done
        head -n 20 agent.log
        """
                .formatted(FOLDER, place.id(), all, ReadyLines.READY_END);
    }

    /// Ends all processes of the agent, first in order and after 40 s by force, and removes its
    /// folder.
    static String stop(Place place) {
        return """
        cd || exit 1
        mine() { grep -l -s -e '%3$s' /proc/[0-9]*/cmdline | sed 's,^/proc/,,;s,/cmdline$,,'; }
        for signal in TERM KILL; do
          waited=0
          while [ $waited -lt 40 ]; do
            left=$(mine)
            [ -n "$left" ] || break 2
            [ $waited -gt 0 ] || kill -s $signal $left 2> /dev/null
            waited=$((waited + 1))
            sleep 1
          done
        done
        rm -rf %1$s%2$s
        rmdir .jdyno-agents 2> /dev/null
        if [ -n "$(mine)" ]; then
          echo 'the agent does not end' >&2
          exit 3
        fi
        if [ -e %1$s%2$s ]; then
          echo "its folder cannot be removed: $PWD/%1$s%2$s" >&2
          exit 3
        fi
        exit 0
        """
                .formatted(FOLDER, place.id(), notItself(place.id()));
    }

    /// A pattern of the id that does not match itself, because it is on the command line of grep,
    /// too.
    private static String notItself(String id) {
        return "[" + id.charAt(0) + "]" + id.substring(1);
    }
}
