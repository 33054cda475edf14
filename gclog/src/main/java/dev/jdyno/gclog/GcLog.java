package dev.jdyno.gclog;

import dev.jdyno.foreign.Gunzip;
import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.gclog.read.ByteLines;
import dev.jdyno.gclog.read.LogState;
import dev.jdyno.gclog.read.WideText;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.gclog.sums.Analyzer;
import dev.jdyno.measure.load.Incomplete;
import dev.jdyno.measure.text.UserError;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Reads one GC log, of any HotSpot since JDK 6 and any collector, into an {@link Analysis}.
///
/// The log is read once from front to back. The memory for it does not grow with the log: a buffer
/// of 256 KiB, at most 2 MiB for each kind of pause, at most 8192 points for charts.
public final class GcLog {
    private GcLog() {}

    /// @param pauseGoalMs the longest acceptable pause; 0 takes MaxGCPauseMillis, or 200 ms
    /// @param also receives every event too, in the order of the log
    public record Options(double pauseGoalMs, Consumer<GcEvent> also) {
        public static final Options DEFAULT = new Options(0, _ -> {});
    }

    /// Reads the parts of one log in the order given.
    ///
    /// @throws UserError of kind usage if a part cannot be read or no part is a GC log
    public static Analysis read(List<Path> parts, Options options) {
        String source =
                parts.size() == 1
                        ? parts.getFirst().toString()
                        : parts.getFirst() + " (" + parts.size() + " files)";
        Reading reading = new Reading(options);
        for (Path part : parts) {
            try (InputStream in = plain(Files.newInputStream(part))) {
                reading.feed(part.toString(), in);
            } catch (NoSuchFileException e) {
                throw UserError.usage(
                                "cannot read " + part, "there is no such file", "check the path")
                        .causedBy(e);
            } catch (IOException e) {
                throw UserError.usage(
                                "cannot read " + part,
                                String.valueOf(e.getMessage()),
                                "check its permissions and, if compressed, that it is whole")
                        .causedBy(e);
            }
        }
        return reading.finish(source);
    }

    /// Reads one log from a stream.
    ///
    /// @param source name of the log in messages
    /// @throws UserError of kind usage if it cannot be read or is not a GC log
    public static Analysis read(String source, InputStream in, Options options) {
        Reading reading = new Reading(options);
        try {
            reading.feed(source, plain(in));
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot read " + source,
                            String.valueOf(e.getMessage()),
                            "give the log as a file")
                    .causedBy(e);
        }
        return reading.finish(source);
    }

    /// One log that is being read, part by part.
    static final class Reading {
        private final Analyzer analyzer;
        private final LogState log;
        private final LogReader reader;
        private final ByteLines lines = new ByteLines();
        private final List<Incomplete> incomplete = new ArrayList<>();

        Reading(Options options) {
            analyzer = new Analyzer(options.pauseGoalMs());
            log = new LogState(options.also().andThen(analyzer));
            reader = new LogReader(log);
        }

        /// Reads a part to its end.
        ///
        /// @param part name of the part in messages
        void feed(String part, InputStream in) throws IOException {
            long before = log.line;
            lines.readAll(in, reader);
            if (in instanceof Gunzip packed) {
                packed.damage()
                        .ifPresent(kind ->
                                incomplete.add(new Incomplete(part, log.line - before, kind)));
            }
        }

        /// Reads the available bytes. An incomplete last line is kept for the next call.
        ///
        /// @return number of bytes read
        long feedAvailable(InputStream in) throws IOException {
            long before = lines.bytes();
            lines.readAvailable(in, reader);
            return lines.bytes() - before;
        }

        /// Must be called when a file is complete and the log continues in another file.
        void endPart() {
            lines.end(reader);
        }

        Analysis finish(String source) {
            Analysis.Lines counts = reader.finish();
            if (lines.bytes() == 0) {
                throw incomplete.isEmpty()
                        ? UserError.usage(
                                source + " is empty",
                                "it has no line",
                                "check the JVM's -Xlog or -Xloggc option, and that the JVM has"
                                        + " written to it")
                        : UserError.usage(
                                "cannot read " + source,
                                incomplete.getFirst().says(),
                                "copy or pack it again");
            }
            if (counts.read() == 0) {
                throw UserError.usage(
                        source + " is not a GC log",
                        "none of its "
                                + counts.total()
                                + " lines is one of a HotSpot GC log"
                                + counts.firstUnread().stream()
                                        .findFirst()
                                        .map(u -> "; line " + u.line() + ": " + u.text())
                                        .orElse(""),
                        "give a log written with -Xlog:gc* (JDK 9 and later) or -Xloggc (JDK"
                                + " 6-8)");
            }
            return analyzer.finish(source, log, counts, incomplete);
        }
    }

    /// Unpacks gzip, recognised by its first two bytes.
    static InputStream plain(InputStream in) throws IOException {
        InputStream marked =
                in.markSupported() ? in : new BufferedInputStream(in, ByteLines.BUFFER_BYTES);
        marked.mark(2);
        boolean packed = Gunzip.isPacked(marked);
        marked.reset();
        return packed ? new Gunzip(marked) : WideText.narrow(marked);
    }
}
