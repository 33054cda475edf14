package dev.jdyno.report.terminal;

import dev.jdyno.doctor.Finding;
import dev.jdyno.doctor.Finding.State;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/// The output of `jdyno doctor`: a line for each check, then the number of checks in each state.
public final class DoctorLines {
    private DoctorLines() {}

    /// @param quiet true to leave out the checks that are ok
    public static String of(List<Finding> found, boolean quiet, boolean colours) {
        var text = new StringBuilder();
        for (Finding f : found) {
            if (quiet && f.state() == State.OK) {
                continue;
            }
            String state = String.format(Locale.ROOT, "%-7s", f.state().key());
            text.append(colours ? ink(f.state()).on(state) : state)
                    .append(String.format(Locale.ROOT, "%-12s", f.id()))
                    .append(f.says());
            f.fix().ifPresent(m -> text.append(" -> ").append(m));
            text.append('\n');
        }
        Function<State, Long> count = s -> found.stream().filter(f -> f.state() == s).count();
        return text.append(count.apply(State.OK))
                .append(" ok, ")
                .append(count.apply(State.NOTE))
                .append(" to note, ")
                .append(count.apply(State.BAD))
                .append(" bad, ")
                .append(count.apply(State.UNSEEN))
                .append(" unseen\n")
                .toString();
    }

    private static Ink ink(State state) {
        return switch (state) {
            case OK -> Ink.GREEN;
            case NOTE -> Ink.YELLOW;
            case BAD -> Ink.RED;
            case UNSEEN -> Ink.DIM;
        };
    }
}
