package dev.jdyno.inside;

import dev.jdyno.measure.text.UserError;
import dev.jdyno.observe.sockets.Sockets;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Finds the JVM of this host that a request from another host selects. Only JVMs that the user of
/// this process may observe are considered.
///
/// @param proc this host's processes
/// @param only the JVMs that may be selected at all, written as for {@link #find}; empty: any
public record JvmChoice(ProcFs proc, List<String> only) {
    private static final int MAX_LISTED = 10;
    private static final Pattern WORD = Pattern.compile("(?:pid|port)=\\d{1,9}|name=.{1,200}");

    public JvmChoice {
        only = List.copyOf(only);
    }

    /// @return true if the text has a form that {@link #find} understands
    public static boolean isWord(String text) {
        return WORD.matcher(text).matches();
    }

    /// @param which `pid=17`; `port=8080` on which it listens; `name=shop`, contained in its main
    ///   class or jar; or an empty text for the only JVM
    /// @throws UserError if it selects no JVM, or several
    public long find(String which) {
        List<Long> found = candidates().stream().filter(meant(which)::test).toList();
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

    private LongPredicate meant(String which) {
        int equals = which.indexOf('=');
        String by = equals < 0 ? "" : which.substring(0, equals);
        String value = which.substring(equals + 1);
        return switch (by) {
            case "pid" -> pid -> value.equals(Long.toString(pid));
            case "port" -> pid -> listens(pid, value);
            case "name" -> pid -> mainOf(pid).contains(value);
            default -> _ -> true;
        };
    }

    private List<Long> candidates() {
        List<LongPredicate> allowed = only.stream().map(this::meant).toList();
        return Target.candidates(proc).stream()
                .filter(pid -> allowed.isEmpty() || allowed.stream().anyMatch(a -> a.test(pid)))
                .toList();
    }

    private String list(List<Long> found) {
        List<Long> shown = found.isEmpty() ? candidates() : found;
        String more =
                shown.size() > MAX_LISTED
                        ? " and " + (shown.size() - MAX_LISTED) + " with lower ids"
                        : "";
        return shown.isEmpty()
                ? "none"
                : shown.stream()
                                .sorted(Comparator.reverseOrder())
                                .limit(MAX_LISTED)
                                .map(pid -> pid + " " + mainOf(pid))
                                .collect(Collectors.joining(", "))
                        + more;
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
