package dev.jdyno.report.words;

import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.verdict.Expected;
import dev.jdyno.measure.verdict.WhatIf;

/// A what-if's figures: at the load that the report is about, in results of before there was one at
/// the changed service's own knee.
public final class WhatIfText {
    private WhatIfText() {}

    public static double qps(WhatIf w) {
        return w.expected().map(Expected::qps).orElse(w.qps());
    }

    public static double rtMs(WhatIf w) {
        return w.expected().map(Expected::rtMs).orElse(w.rtMs());
    }

    /// The load of a change that gains nothing at the reported one; empty for all others.
    public static String elsewhere(WhatIf w, RunResult r) {
        return w.expected()
                .map(Expected::atConcurrency)
                .filter(n -> r.operatingPoint().filter(now -> now.concurrency() != n).isPresent())
                .map(n -> " (at N=" + n + ")")
                .orElse("");
    }
}
