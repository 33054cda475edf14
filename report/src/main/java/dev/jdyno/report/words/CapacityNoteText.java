package dev.jdyno.report.words;

import dev.jdyno.measure.RunResult;
import java.util.ArrayList;
import java.util.List;

/// Notes on the knee and the what-ifs, a sentence each.
public final class CapacityNoteText {
    private static final String NO_WHAT_IF = "no what-if: ";

    private CapacityNoteText() {}

    public static List<String> of(RunResult r) {
        List<String> all = new ArrayList<>();
        r.capacityNotes().knee().ifPresent(why -> all.add("the knee is not determinable: " + why));
        r.capacityNotes().whatIf().ifPresent(why -> all.add(NO_WHAT_IF + why));
        all.addAll(r.capacityNotes().others());
        return all;
    }

    /// The note that says why the model of a result cannot be trusted.
    public static String noWhatIf(String why) {
        return NO_WHAT_IF + why;
    }
}
