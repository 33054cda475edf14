package dev.jdyno.report.words;

import dev.jdyno.measure.verdict.Verdict.RunnerUp;
import java.util.Locale;

/// A name that was not given, in a sentence: what follows from the one that was, what is less
/// likely, or what is ruled out. Only the first two may be true as well, so only they have a
/// confidence.
public final class RunnerUpText {
    private RunnerUpText() {}

    public static String of(RunnerUp other) {
        String name = other.bottleneck().key();
        String why = other.whyNot();
        String sure = String.format(Locale.ROOT, " (confidence %.2f)", other.confidence());
        if (why.startsWith(RunnerUp.FOLLOWS)) {
            return "Also " + name + sure + ", which " + why;
        }
        return why.startsWith(RunnerUp.LESS_LIKELY)
                ? "Less likely " + name + sure + ": " + why.substring(RunnerUp.LESS_LIKELY.length())
                : "Not " + name + ": " + why;
    }
}
