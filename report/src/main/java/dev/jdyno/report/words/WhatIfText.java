package dev.jdyno.report.words;

import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.verdict.Expected;
import dev.jdyno.measure.verdict.WhatIf;

/// The figures of a what-if at the load of the report. Older results have none at that load; their
/// figures are at the changed service's own knee.
public final class WhatIfText {
    private WhatIfText() {}

    public static double qps(WhatIf w) {
        return w.expected().map(Expected::qps).orElse(w.qps());
    }

    public static double rtMs(WhatIf w) {
        return w.expected().map(Expected::rtMs).orElse(w.rtMs());
    }

    /// The load of the figures if a change has no gain at the load of the report; empty for all
    /// other changes.
    public static String elsewhere(WhatIf w, RunResult r) {
        return w.expected()
                .map(Expected::atConcurrency)
                .filter(n -> r.operatingPoint().filter(now -> now.concurrency() != n).isPresent())
                .map(n -> " (at N=" + n + ")")
                .orElse("");
    }
}
