package dev.jdyno.report.words;

import dev.jdyno.measure.ObserverOverhead;
import java.util.Locale;

/// The observer overhead of a diagnostic window, in words.
public final class OverheadText {
    private OverheadText() {}

    /// The overhead of one window: `Observer overhead N=40: QPS -3 %, p99 x1.4; dumps stopped the
    /// JVM 0.8 % of the window (10 dumps, longest 12 ms)`.
    public static String of(ObserverOverhead cost) {
        return String.format(
                Locale.ROOT,
                "Observer overhead N=%d: %s%s; %s",
                cost.concurrency(),
                throughput(cost.qpsRatio()),
                cost.p99Ratio().map(r -> String.format(Locale.ROOT, ", p99 x%.2g", r)).orElse(""),
                dumps(cost));
    }

    /// The change in throughput during the window. An increase over the round is marked as noise.
    private static String throughput(double ratio) {
        long percent = Math.round((ratio - 1) * 100);
        return percent > 0
                ? "QPS +" + percent + " % (noise)"
                : String.format(Locale.ROOT, "QPS %s%d %%", percent < 0 ? "-" : "+", -percent);
    }

    private static String dumps(ObserverOverhead cost) {
        if (cost.dumps() == 0) {
            return "no thread dump";
        }
        String taken =
                String.format(
                        Locale.ROOT,
                        "%s, longest %s ms",
                        cost.dumps() == 1 ? "1 dump" : cost.dumps() + " dumps",
                        Figures.number(cost.longestPauseMs()));
        return cost.stoppedShare()
                .map(s ->
                        String.format(
                                Locale.ROOT,
                                "dumps stopped the JVM %.1f %% of the window (%s)",
                                s * 100,
                                taken))
                .orElse(taken);
    }
}
