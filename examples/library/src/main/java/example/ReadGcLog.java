package example;

import dev.jdyno.gclog.GcDiagnosis;
import dev.jdyno.gclog.GcLog;
import dev.jdyno.gclog.rules.Diagnoses;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.gclog.sums.Distribution;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;

/// Prints the pauses of a GC log, and what is wrong with it.
public final class ReadGcLog {
    private ReadGcLog() {}

    static String summary(Path file) {
        Analysis log = GcLog.read(List.of(file), GcLog.Options.DEFAULT);
        Distribution pauses = log.pauses();
        var text = new StringBuilder();
        text.append(
                "%s, %d pauses, p99 %.1f ms, stopped %.2f %% of %.0f s%n"
                        .formatted(
                                log.collector().key(),
                                pauses.count(),
                                pauses.p99(),
                                log.spanPct(log.stopped().allMs()),
                                log.spanS()));
        for (GcDiagnosis found : Diagnoses.of(log, OptionalDouble.empty())) {
            text.append("%s: %s%n".formatted(found.id(), found.says()));
            found.advice().forEach(change -> text.append("  %s%n".formatted(change)));
        }
        return text.toString();
    }

    public static void main(String[] args) {
        System.out.print(summary(Path.of(args[0])));
    }
}
