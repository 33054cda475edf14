package dev.jdyno.measure.verdict;

import dev.jdyno.measure.text.Secrets;
import java.util.ArrayList;
import java.util.List;

/// Whether the figures can be trusted, with all warnings about them.
public record Validity(boolean ok, List<Warning> warnings) {
    /// Id of the warning that other processes use much of the machine.
    public static final String OTHER_PROCESSES = "crowded";

    /// Id of the warning that the run ended before all loads were tested.
    public static final String SEARCH_CUT = "search-cut";

    /// Id of the warning that a step which explains the measurement failed.
    public static final String NOT_EXPLAINED = "not-explained";

    public static final Validity OK = new Validity(true, List.of());

    /// @param spoils whether the warning makes the result invalid (exit 3); else it is only shown
    public record Warning(String id, String says, boolean spoils) {
        public Warning {
            says = Secrets.text(says);
        }
    }

    public Validity {
        warnings = List.copyOf(warnings);
    }

    public static Validity of(List<Warning> warnings) {
        return new Validity(warnings.stream().noneMatch(Warning::spoils), warnings);
    }

    /// Returns the same validity with more warnings.
    public Validity with(List<Warning> more) {
        List<Warning> all = new ArrayList<>(warnings);
        all.addAll(more);
        return of(all);
    }
}
