package dev.jdyno.report.html;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.verdict.Demand;
import dev.jdyno.report.words.Figures;
import dev.jdyno.report.words.KneeLines;
import java.util.Comparator;

/// What the templates ask of the knee, and of what a request takes of each resource.
public record CapacityPage(RunResult result) {
    /// A share that is shown as 100 %.
    private static final double ROUNDING = 0.005;

    /// `88 %`; more than all is said to be so.
    public String used(Demand d) {
        return d.utilisationAtKnee()
                .map(u ->
                        u <= 1 + ROUNDING ? Figures.percent(u) : "all (" + Figures.percent(u) + ")")
                .orElse("not known");
    }

    /// What a use of more than all means; empty where nothing is used so.
    public String usedMore() {
        return result.demands().stream()
                        .filter(d -> !d.isDelay())
                        .flatMap(d -> d.utilisationAtKnee().stream())
                        .anyMatch(u -> u > 1 + ROUNDING)
                ? " More than 100 % used: a request took more of it below the knee, where the"
                        + " demand is from, than above the knee."
                : "";
    }

    /// Why the knee is not determinable, after a colon; empty where nothing says it.
    public String kneeWhy() {
        return KneeLines.why(result);
    }

    /// What the section of demands and what-ifs has to show; without what-ifs nothing is predicted.
    public String heading() {
        return !result.whatIf().isEmpty()
                ? "What a change would give"
                : result.demands().isEmpty() ? "The knee" : "What a request takes";
    }

    /// Where the utilisations of the demands are from: the knee, or the round that stands in for
    /// it.
    public String usedAt() {
        return result.knee().isPresent()
                ? "Used at the knee"
                : result.rounds().stream()
                        .filter(r -> r.ratePerS().isEmpty())
                        .max(Comparator.comparingDouble(Round::qps))
                        .map(r -> "Used at the best throughput, N = " + r.concurrency())
                        .orElse("Used");
    }

    /// Requests in flight at a knee: `18.3`, `<1`.
    public String knee(double n) {
        return Figures.inFlightShort(n).replace("unlimited", "∞");
    }

    /// `at N = 18.3`, or that it is below one request.
    public String at(double n) {
        return Figures.isBelowOne(n) ? Figures.inFlight(n) : "at N = " + knee(n);
    }

    /// The interval and what it stands on: `9.6–10.1 (3 rounds)`.
    public String interval(Demand d) {
        String rounds =
                switch (d.rounds()) {
                    case 0 -> "";
                    case 1 -> " (1 round)";
                    default -> " (" + d.rounds() + " rounds)";
                };
        return d.ci95().map(i -> Figures.range(i).replace(" to ", "–")).orElse("not known")
                + rounds;
    }
}
