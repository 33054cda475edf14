package dev.jdyno.report.words;

import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.verdict.Expected;
import dev.jdyno.measure.verdict.WhatIf;

/// The figures of a what-if at the load of the report. Results of older versions have no figures at
/// that load; theirs are at the knee of the changed service.
public final class WhatIfText {
    private WhatIfText() {}

    public static double qps(WhatIf w) {
        return w.expected().map(Expected::qps).orElse(w.qps());
    }

    public static double rtMs(WhatIf w) {
        return w.expected().map(Expected::rtMs).orElse(w.rtMs());
    }

    /// The load of the figures, if it is not the load of the report; otherwise empty. It differs if
    /// a change has no gain at the load of the report.
    public static String elsewhere(WhatIf w, RunResult r) {
        return w.expected()
                .map(Expected::atConcurrency)
                .filter(n -> r.operatingPoint().filter(now -> now.concurrency() != n).isPresent())
                .map(n -> " (at N=" + n + ")")
                .orElse("");
    }
}
