package dev.jdyno.inside;

import dev.jdyno.measure.text.UserError;
import dev.jdyno.observe.sockets.Sockets;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;

/// Finds the JVM of this host that is meant by a word from another one. Only JVMs that the user of
/// this process may observe are looked at.
///
/// @param proc this host's processes
public record JvmChoice(ProcFs proc) {
    private static final int MOST_LISTED = 10;

    /// @param which `pid=17`, `port=8080` on which it listens, `name=shop` that its main class or
    ///   jar contains, or nothing for the only one
    /// @throws UserError when none is meant, or several are
    public long find(String which) {
        int equals = which.indexOf('=');
        String by = equals < 0 ? "" : which.substring(0, equals);
        String value = which.substring(equals + 1);
        LongPredicate meant =
                switch (by) {
                    case "pid" -> pid -> value.equals(Long.toString(pid));
                    case "port" -> pid -> listens(pid, value);
                    case "name" -> pid -> mainOf(pid).contains(value);
                    default -> _ -> true;
                };
        List<Long> found = Target.candidates(proc).stream().filter(meant::test).toList();
        if (found.size() == 1) {
            return found.getFirst();
        }
        throw UserError.usage(
                found.isEmpty()
                        ? "no JVM on the agent's host is meant"
                        : found.size() + " JVMs on the agent's host are meant",
                (which.isEmpty() ? "any" : which) + "; the agent may observe: " + list(found),
                "choose one with :pid=, :port= or :name=; JVMs of another user need an agent of"
                        + " theirs");
    }

    private String list(List<Long> found) {
        List<Long> shown = found.isEmpty() ? Target.candidates(proc) : found;
        return shown.isEmpty()
                ? "none"
                : shown.stream()
                        .limit(MOST_LISTED)
                        .map(pid -> pid + " " + mainOf(pid))
                        .collect(Collectors.joining(", "));
    }

    private boolean listens(long pid, String port) {
        try {
            return Sockets.listenerOn(proc, pid, Integer.parseInt(port))
                    .filter(Sockets.listeners(proc, pid)::contains)
                    .isPresent();
        } catch (NumberFormatException noPort) {
            return false;
        }
    }

    private String mainOf(long pid) {
        return new RunningJvms(proc).mainOf(pid);
    }
}
