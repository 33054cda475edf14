package dev.jdyno.measure.text;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Collects every mistake of one input, so that all of them are reported at once.
public final class Problems {
    /// One mistake: its position (`plan.yaml:12 rounds.max`), what is wrong, how to fix it. Secrets
    /// in it are masked.
    public record Problem(String where, String what, String fix) {
        public Problem {
            where = Secrets.text(where);
            what = Secrets.text(what);
            fix = Secrets.text(fix);
        }

        @Override
        public String toString() {
            return where + ": " + what + "\n    " + fix;
        }
    }

    /// Maximum number of mistakes that are listed, because a hostile file may contain a hundred
    /// thousand.
    private static final int MAX_LISTED = 100;

    private final String command;
    private final List<Problem> found = new ArrayList<>();

    public Problems() {
        this("jdyno");
    }

    private Problems(String command) {
        this.command = command;
    }

    /// The mistakes of a command line.
    ///
    /// @param command as the user types it, such as `jdyno compare`
    public static Problems ofCommand(String command) {
        return new Problems(command);
    }

    /// The sentence that says how the user finds the values of an option.
    public String help() {
        return command + " --help shows what it takes";
    }

    public void add(String where, String what, String fix) {
        found.add(new Problem(where, what, fix));
    }

    public boolean isEmpty() {
        return found.isEmpty();
    }

    public List<Problem> list() {
        return List.copyOf(found);
    }

    /// @throws UserError of kind usage that lists the mistakes of the command, when there are any
    public void throwIfAny() {
        throwIfAny("the command line of " + command);
    }

    /// @throws UserError of kind usage that lists all mistakes, when there are any
    public void throwIfAny(String what) {
        if (found.isEmpty()) {
            return;
        }
        String count = found.size() == 1 ? "1 mistake" : found.size() + " mistakes";
        int more = found.size() - MAX_LISTED;
        throw UserError.ofMasked(
                UserError.Kind.USAGE,
                Secrets.text(what) + " has " + count,
                found.stream()
                        .limit(MAX_LISTED)
                        .map(Problem::toString)
                        .collect(
                                Collectors.joining(
                                        "\n  ",
                                        "\n  ",
                                        more > 0 ? "\n  and " + more + " more" : "")),
                "fix the lines above, then run it again");
    }
}
