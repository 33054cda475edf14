package dev.jdyno.report.html;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.verdict.Demand;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.report.words.Figures;
import dev.jdyno.report.words.Highlights;
import dev.jdyno.report.words.KneeLines;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The data of the templates about the knee and the demands.
public record CapacityPage(RunResult result) {
    /// Tolerance within which a share counts as 100 %.
    private static final double ROUNDING = 0.005;

    /// The utilisation of a resource: `88 %`; above 100 % as `all (104 %)`.
    public String used(Demand d) {
        return d.utilisationAtKnee()
                .map(u ->
                        u <= 1 + ROUNDING ? Figures.percent(u) : "all (" + Figures.percent(u) + ")")
                .orElse("not known");
    }

    /// Explains a utilisation above 100 %; empty if no resource has one.
    public String usedMore() {
        return result.demands().stream()
                        .filter(d -> !d.isDelay())
                        .flatMap(d -> d.utilisationAtKnee().stream())
                        .anyMatch(u -> u > 1 + ROUNDING)
                ? " More than 100 % used: a request took more of the resource below the knee,"
                        + " where its demand was measured, than above the knee."
                : "";
    }

    /// Sentences on the knee: its concurrency, its prediction, and the load that the report is
    /// about.
    public List<String> kneeSentences() {
        List<String> says = new ArrayList<>();
        says.add(
                result.knee()
                        .map(k ->
                                k.isDeterminable()
                                        ? "Knee: %s (95 %%: %s). Up to the knee more requests in flight give more throughput, beyond it mostly longer response times."
                                                .formatted(
                                                        Figures.inFlight(k.concurrency()),
                                                        range(k.ci95()))
                                        : "Knee: not determinable, 95 %: "
                                                + range(k.ci95())
                                                + KneeLines.why(result)
                                                + ".")
                        .orElseGet(() -> "Knee: not found" + KneeLines.why(result) + "."));
        ResultCharts.predicted(result)
                .map(p -> predicted(p, result.knee().orElseThrow()))
                .ifPresent(says::add);
        result.operatingPoint()
                .map(p ->
                        "This report speaks of %s: %s."
                                .formatted(
                                        Highlights.load(p.round()), Highlights.whyThisLoad(result)))
                .ifPresent(says::add);
        return says;
    }

    private String predicted(Knee.Predicted p, Knee k) {
        return "Predicted from rounds below the knee: %s by F1 and %s/s by F2%s.%s"
                .formatted(
                        Figures.inFlight(p.concurrency()),
                        Figures.number(p.qps()),
                        k.isDeterminable()
                                ? " (%s and %s against measured)"
                                        .formatted(
                                                Figures.percentChange(
                                                        p.concurrency() / k.concurrency()),
                                                Figures.percentChange(p.qps() / k.qps()))
                                : "",
                        Highlights.disturbedByOthers(result)
                                ? " Not to be trusted: other processes use much of this machine's CPU."
                                : "");
    }

    private static String range(Interval i) {
        return Figures.range(i).replace(" to ", "–");
    }

    /// The heading of the section of demands and what-ifs; it promises a prediction only if there
    /// are what-ifs.
    public String heading() {
        return !Highlights.whatIfs(result).isEmpty()
                ? "Predicted effect of changes"
                : result.demands().isEmpty() ? "The knee" : "What a request takes";
    }

    /// The load at which the utilisations were determined: the knee, or the round that replaces it.
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

    /// The interval and the number of rounds behind it: `9.6–10.1 (3 rounds)`.
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
