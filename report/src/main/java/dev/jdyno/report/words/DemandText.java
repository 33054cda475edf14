package dev.jdyno.report.words;

import dev.jdyno.measure.verdict.Demand;
import dev.jdyno.measure.verdict.Demand.Source;
import java.util.List;
import java.util.Locale;

/// The sources of a demand in words.
public final class DemandText {
    private DemandText() {}

    /// True if several sources measured a demand.
    public static boolean hasSources(List<Demand> demands) {
        return demands.stream().anyMatch(d -> !d.sources().isEmpty());
    }

    /// One line for each source of a demand: `thread dumps 17.7 ± 2.6 ms, weight 2 %`.
    public static List<String> sources(Demand demand) {
        return demand.sources().stream().map(DemandText::source).toList();
    }

    private static String source(Source s) {
        return String.format(
                Locale.ROOT,
                "%s %s ± %s ms, weight %.0f %%: %s",
                name(s.kind()),
                Figures.number(s.ms()),
                Figures.number(s.standardErrorMs()),
                s.weight() * 100,
                reason(s));
    }

    private static String name(Source.Kind kind) {
        return switch (kind) {
            case THREAD_DUMPS -> "thread dumps";
            case FLIGHT_RECORDING -> "flight recording";
            case REPORTED_SIZE -> "size that the pool reports, by F2";
            case THROUGHPUT -> "whole number of units, by F2";
            case HOLDERS -> "threads that may hold a unit, by F2";
        };
    }

    private static String reason(Source s) {
        return switch (s.reason()) {
            case STANDARD_ERROR -> "by its standard error";
            case SHORT_WAITS ->
                    "waits are near the recording's threshold of 1 ms, so that it misses some";
            case SOURCES_DISAGREE -> "the two lie more than 3 standard errors apart";
            case WHOLE_UNITS ->
                    s.weight() > 0
                            ? "units are whole, and the throughput is known best"
                            : "gives the number of units only";
            case SIZE_REPORTED ->
                    s.weight() > 0
                            ? "all of it is in use"
                            : "not needed: the pool reports its size";
            case HOLDERS_SEEN ->
                    s.weight() > 0
                            ? "as many as the dumps at saturation show"
                            : "not used: the dumps at saturation show another number of holders";
        };
    }
}
