package dev.jdyno.report.terminal;

import dev.jdyno.gclog.GcDiagnosis;
import dev.jdyno.gclog.fleet.GcFleet;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Many GC logs as a table, worst first.
public final class GcFleetLines {
    private GcFleetLines() {}

    public static List<String> of(GcFleet fleet) {
        List<String> out = new ArrayList<>();
        out.add(
                String.format(
                        Locale.ROOT,
                        "%-8s %-24s %7s %7s %10s %10s %7s %6s %-10s %s",
                        "worst",
                        "",
                        "pause %",
                        "CPU %",
                        "p99 ms",
                        "max ms",
                        "h left",
                        "full",
                        "collector",
                        "log"));
        for (GcFleet.Row r : fleet.rows()) {
            out.add(
                    String.format(
                            Locale.ROOT,
                            "%-8s %-24s %7s %7s %10.2f %10.2f %7s %6d %-10s %s",
                            r.worst().map(d -> d.severity().key()).orElse("-"),
                            r.worst().map(GcDiagnosis::id).orElse("-"),
                            figure(r.pauseSharePct()),
                            figure(r.gcCpuPct()),
                            r.pauseP99Ms(),
                            r.pauseMaxMs(),
                            figure(r.hoursToFull()),
                            r.full(),
                            r.collector(),
                            r.name()));
        }
        fleet.rows().forEach(r -> r.incomplete().forEach(i -> out.add("warning: " + i.says())));
        if (!fleet.others().isEmpty()) {
            out.add(
                    fleet.others().size()
                            + " files are no GC log, the first: "
                            + fleet.others().getFirst());
        }
        return out;
    }

    private static String figure(Optional<Double> value) {
        return value.map(v -> String.format(Locale.ROOT, v < 1000 ? "%.2f" : "%.0f", v))
                .orElse("-");
    }
}
