package dev.jdyno.diagnose.gc;

import static dev.jdyno.diagnose.evidence.Lines.line;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.List;

/// Lines on the live objects, if they were counted.
final class LiveObjectLines {
    private LiveObjectLines() {}

    /// Returns lines on the class with most bytes and on the application class with most objects. A
    /// third line names the field that holds most of the objects created between the counts that
    /// are still live.
    static List<EvidenceLine> of(Evidence evidence) {
        List<EvidenceLine> lines = new ArrayList<>();
        add(
                lines,
                evidence,
                Sign.LIVE_OWN_OBJECTS,
                Figure.LIVE_OWN,
                "%1$,.0f objects of %2$s live");
        add(
                lines,
                evidence,
                Sign.LIVE_LARGEST_SHARE,
                Figure.LIVE_LARGEST,
                "objects of %2$s take most: %3$.0f %% of the live bytes");
        add(
                lines,
                evidence,
                Sign.LIVE_SET_HELD_SHARE,
                Figure.LIVE_HELD,
                "%3$.0f %% of the sampled objects that stay are reachable from %2$s");
        return lines;
    }

    /// @param form format of the value, the place, and the value in percent
    private static void add(
            List<EvidenceLine> lines, Evidence evidence, Sign sign, Figure figure, String form) {
        evidence.place(sign)
                .ifPresent(place -> {
                    double value = evidence.sign(sign).orElse(0.0);
                    Sentence says =
                            Sentence.format(form, value, PlaceText.named(place), 100 * value);
                    lines.add(line(figure, says, value, 0));
                });
    }
}
