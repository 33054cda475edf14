package dev.jdyno.cli.load;

import dev.jdyno.files.PrivateFiles;
import dev.jdyno.load.LoadRun;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.statistics.Latency;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.report.terminal.LoadSummary;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.jspecify.annotations.Nullable;

/// The files of `jdyno load`: the HdrHistogram log and the CSV. They are written each second. So
/// after a crash, they contain everything measured before it.
final class LoadFiles implements LoadRun.Listener, AutoCloseable {
    private static final String COLUMNS =
            "second,seconds,qps,errors,rt_mean_ms,rt_p50_ms,rt_p90_ms,rt_p99_ms,rt_p999_ms,"
                    + "rt_max_ms,service_p99_ms,send_error_p99_us,backlog_most,"
                    + "busiest_loop_pct,client_cpu_pct,error_kinds";

    private final @Nullable PrintStream hlog;
    private final @Nullable PrintStream csv;
    private final long startMs;

    private LoadFiles(@Nullable PrintStream hlog, @Nullable PrintStream csv, long startMs) {
        this.hlog = hlog;
        this.csv = csv;
        this.startMs = startMs;
    }

    /// Opens the files before any load is sent, so that a wrong path fails early.
    static LoadFiles open(Instant startedAt, Optional<Path> hlog, Optional<Path> csv) {
        long startMs = startedAt.toEpochMilli();
        PrintStream log = hlog.map(f -> create(PrivateFiles.named(f, "--hlog"))).orElse(null);
        PrintStream table = csv.map(f -> create(PrivateFiles.named(f, "--csv"))).orElse(null);
        if (log != null) {
            var writer = new HistogramLogWriter(log);
            writer.outputComment("jdyno load: latency from the intended start, in nanoseconds");
            writer.outputLogFormatVersion();
            writer.outputStartTime(startMs);
            writer.outputLegend();
        }
        if (table != null) {
            table.println(COLUMNS);
        }
        return new LoadFiles(log, table, startMs);
    }

    private static PrintStream create(Path file) {
        try {
            return new PrintStream(PrivateFiles.create(file), false, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw UserError.usage("cannot write " + file, e.toString(), "give another file")
                    .causedBy(e);
        }
    }

    @Override
    public void window(LoadWindow window, LoadWindow sum) {
        double at = (window.startNanos() - sum.startNanos()) / 1e9;
        if (hlog != null) {
            Histogram h = window.latencyNanos().copy();
            h.setStartTimeStamp(startMs + Math.round(at * 1e3));
            h.setEndTimeStamp(startMs + Math.round((at + window.seconds()) * 1e3));
            var writer = new HistogramLogWriter(hlog);
            writer.setBaseTime(startMs);
            writer.outputIntervalHistogram(h);
        }
        if (csv != null) {
            csv.println(row(at, window));
        }
    }

    private static String row(double at, LoadWindow w) {
        Latency l = w.latency();
        return String.format(
                Locale.ROOT,
                "%.3f,%.3f,%.1f,%d,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.1f,%d,%.1f,%.1f,%s",
                at,
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
                w.client().cpuPct(),
                Printable.line(LoadSummary.kinds(w.errorKinds()).replace(", ", " | ")));
    }

    @Override
    public void close() {
        boolean lost = false;
        for (PrintStream file : new PrintStream[] {hlog, csv}) {
            if (file != null) {
                file.close();
                lost |= file.checkError();
            }
        }
        if (lost) {
            throw UserError.usage(
                    "the files are not whole",
                    "the disk did not take all that was written",
                    "make room, or give --hlog and --csv another place");
        }
    }
}
