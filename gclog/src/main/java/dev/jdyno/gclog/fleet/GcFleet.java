package dev.jdyno.gclog.fleet;

import dev.jdyno.gclog.GcDiagnosis;
import dev.jdyno.gclog.GcLog;
import dev.jdyno.gclog.LogFiles;
import dev.jdyno.gclog.rules.Diagnoses;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.load.Incomplete;
import dev.jdyno.measure.text.UserError;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Many logs, one row each, worst first, and the files that are no GC log.
///
/// @param others files that are no GC log, with the reason
public record GcFleet(List<Row> rows, List<String> others) {
    /// @param gcCpuPct CPU time of pauses as a share of the run on all CPUs
    /// @param hoursToFull hours until promotion has filled the old generation (F10)
    /// @param worst the most severe diagnosis
    /// @param incomplete compressed files of the log that were not read to their end
    public record Row(
            String name,
            String collector,
            double spanS,
            double pauseP99Ms,
            double pauseMaxMs,
            Optional<Double> pauseSharePct,
            Optional<Double> gcCpuPct,
            Optional<Double> hoursToFull,
            long full,
            Optional<GcDiagnosis> worst,
            int diagnoses,
            List<Incomplete> incomplete) {
        public Row {
            incomplete = List.copyOf(incomplete);
        }
    }

    /// Maximum memory to read one log, in bytes: some MiB of quantiles for each kind of pause, and
    /// the stops of one minute.
    private static final long BYTES_A_LOG = 24L << 20;

    /// @throws UserError of kind usage if no file is a GC log
    public static GcFleet read(List<LogFiles.Log> logs, GcLog.Options options, OptionalDouble qps) {
        List<Row> rows = new ArrayList<>();
        List<String> others = new ArrayList<>();
        try (ExecutorService readers = Executors.newFixedThreadPool(atOnce())) {
            List<Future<Read>> read =
                    logs.stream()
                            .map(log -> readers.submit(() -> read(log, options, qps)))
                            .toList();
            for (Future<Read> one : read) {
                switch (one.get()) {
                    case Read.Log(Row row) -> rows.add(row);
                    case Read.Other(String why) -> others.add(why);
                }
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("a log could not be analysed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        if (rows.isEmpty()) {
            throw UserError.usage(
                    "none of the " + logs.size() + " files is a GC log",
                    others.isEmpty() ? "there is none" : others.getFirst(),
                    "give logs written with -Xlog:gc* (JDK 9 and later) or -Xloggc (JDK 6-8)");
        }
        rows.sort(
                Comparator.comparing((Row r) ->
                                r.worst()
                                        .map(GcDiagnosis::severity)
                                        .orElse(GcDiagnosis.Severity.INFO))
                        .thenComparing(r -> r.pauseSharePct().orElse(0.0))
                        .reversed());
        return new GcFleet(rows, others);
    }

    /// Number of logs to read at a time: at most one per core, and as many as the heap can hold.
    private static int atOnce() {
        Runtime jvm = Runtime.getRuntime();
        long fit = jvm.maxMemory() / BYTES_A_LOG;
        return Math.clamp(fit, 1, jvm.availableProcessors());
    }

    /// The result for one file.
    private sealed interface Read {
        record Log(Row row) implements Read {}

        /// @param why the reason why it is no GC log
        record Other(String why) implements Read {}
    }

    private static Read read(LogFiles.Log log, GcLog.Options options, OptionalDouble qps) {
        try {
            return new Read.Log(row(log.name(), GcLog.read(log.parts(), options), qps));
        } catch (UserError e) {
            return new Read.Other(e.what());
        }
    }

    private static Row row(String name, Analysis a, OptionalDouble qps) {
        List<GcDiagnosis> diagnoses = Diagnoses.of(a, qps);
        return new Row(
                name,
                a.collector().key(),
                a.spanS(),
                a.pauses().p99(),
                a.pauses().max(),
                a.throughputPct().map(t -> 100 - t),
                a.gcCpuPct(),
                a.hoursToFull(),
                a.count("full"),
                diagnoses.stream().findFirst(),
                diagnoses.size(),
                a.incomplete());
    }
}
