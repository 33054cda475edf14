package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.Analysis;
import dev.jdyno.gclog.Diagnosis.Severity;
import dev.jdyno.gclog.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Class metadata forces collections.
final class MetaspaceGc implements Rule {

    /// Growth from the first to the last collection that is a trend and not a warm-up.
    static final double GROWTH = 1.5;

    /// s of log before growth means anything.
    static final double SETTLED_S = 600;

    @Override
    public String id() {
        return "metaspace-gc";
    }

    @Override
    public Finding evaluate(Analysis a, Given given) {
        long count = 0;
        double totalMs = 0;
        List<Long> lines = new ArrayList<>();
        for (Analysis.CauseTotal c : a.causes()) {
            if (c.cause().startsWith("Metadata GC")) {
                count += c.count();
                totalMs += c.totalMs();
                lines.addAll(c.lines());
            }
        }
        Optional<Analysis.Metaspace> m = a.heap().metaspace();
        boolean grows =
                m.isPresent()
                        && a.spanS() > SETTLED_S
                        && m.get().lastBytes() > GROWTH * m.get().firstBytes();
        if (count == 0 && !grows) {
            return clear();
        }
        double highest = m.map(x -> (double) x.highestBytes()).orElse(0.0);
        return found(
                grows ? Severity.WARNING : Severity.INFO,
                grows
                        ? String.format(
                                Locale.ROOT,
                                "metaspace grew from %s to %s",
                                Rule.bytes((double) m.get().firstBytes()),
                                Rule.bytes((double) m.get().lastBytes()))
                        : String.format(
                                Locale.ROOT,
                                "%d collections because metaspace passed its threshold, %s",
                                count,
                                Rule.ms(totalMs)),
                "these collections have nothing to do with the heap; metaspace that never stops"
                        + " growing is a class loader leak",
                List.of(Rule.evidence("collections for metadata", count, "", 0, lines)),
                List.of(
                        highest > 0
                                ? String.format(
                                        Locale.ROOT,
                                        "-XX:MetaspaceSize=%s: above what this run used (%s), so"
                                                + " that the threshold is not met while starting",
                                        Rule.flag(1.25 * highest),
                                        Rule.bytes(highest))
                                : "log metaspace (-Xlog:gc*) to choose -XX:MetaspaceSize"),
                "no collection with the cause Metadata GC Threshold");
    }
}
