package dev.jdyno.report.words;

import dev.jdyno.measure.CpuByLoad;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import java.util.Locale;
import java.util.Optional;

/// Explains why the CPU time of a request at the load of the report differs from that at the lowest
/// load.
public final class CpuLoadText {
    private CpuLoadText() {}

    /// A sentence without a period; empty if the two CPU times agree within their errors, or if one
    /// of them is not known.
    ///
    /// @param here the round at the load of the report
    public static Optional<String> of(RunResult r, Round here) {
        return Highlights.lowestBreakdownRound(r, here)
                .flatMap(low -> CpuByLoad.of(low, here, r.rounds()))
                .map(c ->
                        String.format(
                                Locale.ROOT,
                                "CPU of a request is %s ms at %s and %s ms at %s, probably because %s",
                                Figures.number(c.lowMs()),
                                Highlights.load(c.low()),
                                Figures.number(c.hereMs()),
                                Highlights.load(here),
                                reason(c)));
    }

    private static String reason(CpuByLoad c) {
        if (!c.isLess()) {
            return "more threads in use switch more often and share the caches";
        }
        String low = Highlights.load(c.low());
        String few =
                String.format(
                        Locale.ROOT,
                        "the CPU that the JVM itself uses is divided among only %s requests/s at %s",
                        Figures.number(c.low().qps()),
                        low);
        return c.isFirst() ? "code was not yet compiled at " + low + ", and " + few : few;
    }
}
