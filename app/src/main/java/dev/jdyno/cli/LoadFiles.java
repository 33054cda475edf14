package dev.jdyno.cli;

import dev.jdyno.load.LoadReport;
import dev.jdyno.load.LoadWindow;
import dev.jdyno.measure.Latency;
import dev.jdyno.measure.UserError;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/// The files of `jdyno load`: the HdrHistogram log and the CSV of seconds.
record LoadFiles(Instant startedAt) {
    void write(LoadReport report, Optional<Path> hlog, Optional<Path> csv) {
        hlog.ifPresent(file -> writing(file, () -> writeHlog(report, file)));
        csv.ifPresent(file -> writing(file, () -> Files.write(file, csvLines(report))));
    }

    private interface Writing {
        void run() throws IOException;
    }

    private static void writing(Path file, Writing action) {
        try {
            action.run();
        } catch (IOException e) {
            throw UserError.usage("cannot write " + file, e.toString(), "give another file")
                    .causedBy(e);
        }
    }

    private void writeHlog(LoadReport report, Path file) throws IOException {
        try (var out =
                new PrintStream(Files.newOutputStream(file), false, StandardCharsets.UTF_8)) {
            var log = new HistogramLogWriter(out);
            log.outputComment("jdyno load: latency from the intended start, in nanoseconds");
            log.outputLogFormatVersion();
            long startMs = startedAt.toEpochMilli();
            log.outputStartTime(startMs);
            log.setBaseTime(startMs);
            log.outputLegend();
            long origin = report.total().startNanos();
            for (LoadWindow w : report.windows()) {
                Histogram h = w.latencyNanos().copy();
                h.setStartTimeStamp(startMs + (w.startNanos() - origin) / 1_000_000);
                h.setEndTimeStamp(startMs + (w.endNanos() - origin) / 1_000_000);
                log.outputIntervalHistogram(h);
            }
            if (out.checkError()) {
                throw new IOException("the disk did not take all of it");
            }
        }
    }

    private static List<String> csvLines(LoadReport report) {
        List<String> lines = new ArrayList<>();
        lines.add(
                "second,seconds,qps,errors,rt_mean_ms,rt_p50_ms,rt_p90_ms,rt_p99_ms,rt_p999_ms,"
                        + "rt_max_ms,service_p99_ms,send_error_p99_us,backlog_most,"
                        + "busiest_loop_pct,client_cpu_pct");
        long origin = report.total().startNanos();
        for (LoadWindow w : report.windows()) {
            Latency l = w.latency();
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "%.3f,%.3f,%.1f,%d,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.1f,%d,%.1f,%.1f",
                            (w.startNanos() - origin) / 1e9,
                            w.seconds(),
                            w.qps(),
                            w.errors(),
                            l.mean(),
                            l.p50(),
                            l.p90(),
                            l.p99(),
                            l.p999(),
                            l.max(),
                            w.service().p99(),
                            w.sendErrorNanos().getValueAtPercentile(99) / 1e3,
                            w.backlogMost(),
                            w.client().busiestLoopPct(),
                            w.client().cpuPct()));
        }
        return lines;
    }
}
