package dev.jdyno.report.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.jdyno.gclog.GcDiagnosis;
import dev.jdyno.gclog.fleet.GcFleet;
import dev.jdyno.measure.load.Incomplete;
import java.util.List;
import java.util.Optional;

/// `jdyno/gc-fleet/1`: many logs, worst first.
public record GcFleetForm(String schema, List<Log> logs, List<String> notGcLogs) {
    public static GcFleetForm of(GcFleet fleet) {
        return new GcFleetForm(
                "jdyno/gc-fleet/1", fleet.rows().stream().map(Log::of).toList(), fleet.others());
    }

    /// What a log does not show is left out.
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    record Log(
            String log,
            String collector,
            double spanS,
            double pauseP99Ms,
            double pauseMaxMs,
            Optional<Double> pauseSharePct,
            Optional<Double> gcCpuPct,
            Optional<Double> hoursToFull,
            long full,
            int diagnoses,
            List<Part> incomplete,
            Optional<String> worst,
            Optional<GcDiagnosis.Severity> severity,
            Optional<String> says) {
        private static Log of(GcFleet.Row r) {
            return new Log(
                    r.name(),
                    r.collector(),
                    r.spanS(),
                    r.pauseP99Ms(),
                    r.pauseMaxMs(),
                    r.pauseSharePct(),
                    r.gcCpuPct(),
                    r.hoursToFull(),
                    r.full(),
                    r.diagnoses(),
                    r.incomplete().stream().map(Part::of).toList(),
                    r.worst().map(GcDiagnosis::id),
                    r.worst().map(GcDiagnosis::severity),
                    r.worst().map(GcDiagnosis::says));
        }
    }

    /// A compressed file that was not read to its end.
    record Part(String file, Incomplete.Kind kind, long behindLine, String says) {
        private static Part of(Incomplete i) {
            return new Part(i.file(), i.kind(), i.behindLine(), i.says());
        }
    }
}
