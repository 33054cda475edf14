package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Evidence;
import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.event.PauseKind;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.GcAdvice;
import dev.jdyno.measure.gc.GcAdvices;
import dev.jdyno.measure.gc.GcLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Young collections are too frequent, because the young generation is too small (F8, F9).
final class YoungTooSmall implements GcRule {
    /// Maximum number of collections per second; Jifa's youngGCInterval of 1 s.
    static final double PER_SECOND = 1;

    /// Minimum share of the run in young pauses, in percent. Below it, their frequency costs almost
    /// nothing.
    static final double SHARE_PCT = 1;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        long count = a.count("young") + a.count("mixed");
        if (a.spanS() <= 1 || count < 10) {
            return notApplicable("too few young collections");
        }
        double perS = count / a.spanS();
        double share = youngMs(a) / 10 / a.spanS();
        Optional<Double> young = a.heap().youngBytes();
        Optional<Double> request =
                given.qps().isPresent()
                        ? a.allocBytesPerS().map(r -> r / given.qps().getAsDouble())
                        : Optional.empty();
        boolean below =
                request.isPresent()
                        && young.isPresent()
                        && young.get() < GcLimits.REQUESTS_IN_YOUNG * request.get();
        if (below
                ? perS < PER_SECOND && share < SHARE_PCT
                : perS < PER_SECOND || share < SHARE_PCT) {
            return clear();
        }
        List<Evidence> evidence = new ArrayList<>();
        evidence.add(GcRule.evidence("young collections per second", perS, "1/s", PER_SECOND));
        evidence.add(
                GcRule.evidence("share of the run in young collections", share, "%", SHARE_PCT));
        if (request.isPresent() && young.isPresent()) {
            evidence.add(
                    GcRule.evidence(
                            "young size in requests' memory (F9)",
                            young.get() / request.get(),
                            "requests",
                            GcLimits.REQUESTS_IN_YOUNG));
        }
        return advising(
                share < GcOverhead.WARNING_PCT ? Severity.INFO : Severity.WARNING,
                GcRule.say("%.1f young collections a second take %.1f %% of the run", perS, share),
                "a larger young generation is collected less often and copies less: objects have"
                        + " more time to die",
                evidence,
                List.of(advice(a, perS, request)),
                "young collections per second fall in proportion to the size");
    }

    /// Time of all pauses that collect young.
    static double youngMs(Analysis a) {
        double ms = 0;
        for (var e : a.pausesByKind().entrySet()) {
            ms += e.getKey().isYoung() || e.getKey() == PauseKind.MIXED ? e.getValue().total() : 0;
        }
        return ms;
    }

    /// Factor for the size of the young generation. It is chosen for one collection in two seconds
    /// or for a share of the run below its limit, whichever needs less. It stays in the range in
    /// which the model was checked.
    private static double factor(double perS, double sharePct) {
        double enough = Math.min(2 * perS, MARGIN * sharePct / SHARE_PCT);
        return Math.clamp(enough, MARGIN, LARGEST);
    }

    /// Margin so that the limit is kept.
    private static final double MARGIN = 1.2;

    private static String rate(double perS) {
        return GcRule.say(perS < 10 ? "%.2g" : "%.0f", perS);
    }

    /// Maximum factor. Larger sizes would need another machine.
    private static final double LARGEST = 4;

    /// Advice for a larger young generation, if the machine has the memory. If the load is known,
    /// the size is that of a large enough young generation (F9).
    private static GcAdvice advice(Analysis a, double perS, Optional<Double> request) {
        double young = a.heap().youngBytes().orElse(0.0);
        if (young <= 0 || a.heap().maxBytes().isEmpty()) {
            return GcAdvice.words(
                    "log sizes ("
                            + GcRule.byJdk(a, "-Xlog:gc*", "-XX:+PrintGCDetails")
                            + ") to choose a young size");
        }
        double wanted =
                Math.max(
                        young * factor(perS, youngMs(a) / 10 / a.spanS()),
                        request.map(r -> GcLimits.REQUESTS_IN_YOUNG * r).orElse(0.0));
        // with the same allocation, the number of collections is inversely proportional to the size
        // (F8)
        return GcAdvices.young(
                a.setting(),
                wanted,
                GcRule.say(
                        "young %s instead of %s; predicted: %s collections a second instead of %s",
                        GcRule.bytes(wanted),
                        GcRule.bytes(young),
                        rate(perS * young / wanted),
                        rate(perS)));
    }
}
