package dev.jdyno.trial.recording;

import dev.jdyno.files.PrivateFiles;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/// Writes `latency.hlog`: one interval histogram for each slice, tagged with the round's load.
/// HdrHistogram's own tools can read it. Values are nanoseconds.
public final class LatencyLog implements AutoCloseable {
    private final PrintStream stream;
    private final HistogramLogWriter writer;

    private LatencyLog(PrintStream stream) {
        this.stream = stream;
        this.writer = new HistogramLogWriter(stream);
    }

    public static LatencyLog open(Path file) {
        try {
            var log =
                    new LatencyLog(
                            new PrintStream(
                                    PrivateFiles.create(file), false, StandardCharsets.UTF_8));
            log.writer.outputComment("[jdyno: response times in ns from the intended send]");
            log.writer.outputLogFormatVersion();
            log.writer.outputLegend();
            return log;
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot write " + file,
                            String.valueOf(e.getMessage()),
                            "give --out DIR where files can be written")
                    .causedBy(e);
        }
    }

    /// @param load name of the load: `N=20`, `rate=450`
    public void write(String load, LoadWindow window) {
        if (window.reported().isPresent() && window.latencyNanos().getTotalCount() == 0) {
            return; // a driver's summary has no histogram
        }
        Histogram slice = window.latencyNanos().copy();
        slice.setTag(load);
        slice.setStartTimeStamp(window.startNanos() / 1_000_000);
        slice.setEndTimeStamp(window.endNanos() / 1_000_000);
        writer.outputIntervalHistogram(slice);
        stream.flush();
    }

    @Override
    public void close() {
        stream.close();
    }
}
