package dev.jdyno.report.json;

import dev.jdyno.gclog.fleet.GcFleet;
import java.util.List;

/// `jdyno/gc-fleet/1`: many logs, worst first.
public record GcFleetForm(String schema, List<GcFleet.Row> logs, List<String> notGcLogs) {
    public static GcFleetForm of(GcFleet fleet) {
        return new GcFleetForm(
                "jdyno/gc-fleet/1", fleet.rows(), fleet.others());
    }


}
