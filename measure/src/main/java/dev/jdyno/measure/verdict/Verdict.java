package dev.jdyno.measure.verdict;

import java.util.List;

/// The one bottleneck, with what speaks for it and why the others were not it.
///
/// @param where which lock, host:port, pool, method; empty when the name says it all
/// @param confidence 0…1
/// @param says one sentence an engineer would say
public record Verdict(
        Bottleneck bottleneck,
        String where,
        double confidence,
        String says,
        List<EvidenceLine> evidence,
        List<RunnerUp> runnersUp) {

    /// One figure that speaks for the verdict; the text is built from the same numbers.
    public record EvidenceLine(String id, String says, double value, String unit, double limit) {}

    /// A name that was not given.
    ///
    /// @param whyNot begins with {@link #FOLLOWS} or {@link #LESS_LIKELY} where it may be true as
    ///   well; else it says what rules it out
    public record RunnerUp(Bottleneck bottleneck, double confidence, String whyNot) {
        public static final String FOLLOWS = "follows from ";
        public static final String LESS_LIKELY = "less likely: ";
    }

    public Verdict {
        evidence = List.copyOf(evidence);
        runnersUp = List.copyOf(runnersUp);
    }
}
