package dev.jdyno.measure.verdict;

import dev.jdyno.measure.text.Sentence;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Optional;

/// The bottleneck of the service, with its evidence, and the reasons against other bottlenecks.
///
/// @param where the lock, host:port, pool or method; empty when the name is sufficient
/// @param confidence 0…1
/// @param says the verdict in one sentence, in an engineer's words
/// @param nextLimit the second limit, if it is nearly as low as this one
public record Verdict(
        Bottleneck bottleneck,
        String where,
        double confidence,
        Sentence says,
        List<EvidenceLine> evidence,
        List<RunnerUp> runnersUp,
        Optional<NextLimit> nextLimit) {

    /// A verdict without a second limit.
    public Verdict(
            Bottleneck bottleneck,
            String where,
            double confidence,
            Sentence says,
            List<EvidenceLine> evidence,
            List<RunnerUp> runnersUp) {
        this(bottleneck, where, confidence, says, evidence, runnersUp, Optional.empty());
    }

    /// One figure that supports the verdict. Its text is built from the same numbers.
    public record EvidenceLine(String id, Sentence says, double value, String unit, double limit) {}

    /// A bottleneck that the verdict does not name.
    ///
    /// @param possible whether this bottleneck is possible, too; if not, the evidence contradicts
    ///   it
    /// @param from the limit that causes this one, if there is such a limit
    /// @param whyNot evidence that rules it out; if it is possible, evidence that supports it
    /// @param decided the figure that rules it out, if a figure below its limit does
    public record RunnerUp(
            Bottleneck bottleneck,
            double confidence,
            boolean possible,
            Optional<Bottleneck> from,
            Sentence whyNot,
            Optional<Decided> decided) {
        /// A figure that rules a name out because it does not reach its limit.
        public record Decided(double value, double limit) {
            /// Number of digits of a limit, enough for every named constant.
            private static final int LIMIT_DIGITS = 9;

            /// The limit, multiplied by `times`, as a sentence shows it: `30` for 0.3 and 100.
            public String limitText(double times) {
                return BigDecimal.valueOf(limit * times)
                        .round(new MathContext(LIMIT_DIGITS))
                        .stripTrailingZeros()
                        .toPlainString();
            }

            /// True if the figure rules out the bottleneck: its value is below the limit.
            public boolean isBelow() {
                return value < limit;
            }
        }

        /// A bottleneck that no single figure rules out.
        public RunnerUp(
                Bottleneck bottleneck,
                double confidence,
                boolean possible,
                Optional<Bottleneck> from,
                Sentence whyNot) {
            this(bottleneck, confidence, possible, from, whyNot, Optional.empty());
        }

        /// The same bottleneck with the figure that rules it out.
        public RunnerUp decidedBy(Optional<Decided> figure) {
            return new RunnerUp(bottleneck, confidence, possible, from, whyNot, figure);
        }

        /// A bottleneck that the evidence contradicts.
        public static RunnerUp ruledOut(
                Bottleneck bottleneck, double confidence, CharSequence whyNot) {
            return new RunnerUp(
                    bottleneck, confidence, false, Optional.empty(), Sentence.of(whyNot));
        }
    }

    /// The same verdict with other runners-up.
    public Verdict withRunnersUp(List<RunnerUp> others) {
        return new Verdict(bottleneck, where, confidence, says, evidence, others, nextLimit);
    }

    /// The same verdict with a second limit. The name of this limit is no longer among those that
    /// are ruled out.
    public Verdict withNextLimit(Optional<NextLimit> next) {
        List<RunnerUp> others =
                runnersUp.stream()
                        .filter(r ->
                                r.possible()
                                        || next.filter(n -> n.bottleneck() == r.bottleneck())
                                                .isEmpty())
                        .toList();
        return new Verdict(bottleneck, where, confidence, says, evidence, others, next);
    }

    public Verdict {
        evidence = List.copyOf(evidence);
        runnersUp = List.copyOf(runnersUp);
    }
}
