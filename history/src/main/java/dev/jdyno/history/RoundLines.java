package dev.jdyno.history;

import dev.jdyno.files.PrivateLines;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.trial.TrialListener;
import dev.jdyno.trial.recording.RecordingFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/// Writes each finished round and block of a running measurement to disk before the next one
/// begins. If the measurement is killed, these lines remain ({@link UnfinishedResult}). The
/// complete result replaces them.
public final class RoundLines implements TrialListener, AutoCloseable {
    /// File name in the folder of a result.
    public static final String NAME = "rounds.jsonl";

    static final String SCHEMA = "jdyno/rounds/1";
    static final JsonMapper JSON = RecordingFile.json();

    /// The first line: the origin of the measurement.
    record Header(
            String schema,
            Kind kind,
            String plan,
            Optional<String> label,
            Instant startedAt,
            Optional<Commit> code,
            Entry.Environment environment,
            String commandLine) {}

    /// A line after the first: one round or block.
    ///
    /// @param block empty for a round of a run
    record Line(Optional<Block> block, Round round) {}

    private final PrivateLines lines;
    private final TrialListener also;
    private boolean full;

    private RoundLines(PrivateLines lines, TrialListener also) {
        this.lines = lines;
        this.also = also;
    }

    /// Begins the file, and deletes the files of an earlier measurement in the folder, including
    /// its result.
    ///
    /// @param folder folder of the result
    /// @param also listener that gets the same events
    /// @throws UserError if the folder cannot be written, or another jdyno measures into it
    public static RoundLines begin(
            Path folder, Kind kind, String plan, Entries.Origin origin, TrialListener also) {
        Path file = folder.resolve(NAME);
        try {
            var header =
                    new Header(
                            SCHEMA,
                            kind,
                            plan,
                            origin.label(),
                            origin.startedAt(),
                            origin.code(),
                            Entries.machine(),
                            origin.commandLine());
            PrivateLines lines = PrivateLines.begin(file);
            try {
                // results of an earlier measurement in this folder could be mistaken for this one's
                Files.deleteIfExists(folder.resolve(EntryFile.NAME));
                Files.deleteIfExists(folder.resolve(EntryFile.RESULT));
                lines.append(JSON.writeValueAsString(header));
                return new RoundLines(lines, also);
            } catch (IOException failed) {
                lines.close();
                throw failed;
            }
        } catch (PrivateLines.Busy busy) {
            throw UserError.usage(
                            "another jdyno measures into " + folder,
                            "it writes " + NAME + " there",
                            "wait until it ends, or give another --out DIR")
                    .causedBy(busy);
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot write " + file,
                            String.valueOf(e.getMessage()),
                            "give --out DIR where files can be written")
                    .causedBy(e);
        }
    }

    private void keep(Line line) {
        if (full) {
            return;
        }
        try {
            lines.append(JSON.writeValueAsString(line));
        } catch (IOException failed) {
            // the measurement continues even if its lines cannot be written
            full = true;
            also.note("rounds are not kept while it measures: " + failed.getMessage());
        }
    }

    @Override
    public void round(Round round) {
        keep(new Line(Optional.empty(), round));
        also.round(round);
    }

    @Override
    public void block(Block block, Round round) {
        keep(new Line(Optional.of(block), round));
        also.block(block, round);
    }

    @Override
    public void phase(String says) {
        also.phase(says);
    }

    @Override
    public void measuring(String says) {
        also.measuring(says);
    }

    @Override
    public void progress(double seconds, Optional<Double> of, Optional<Double> qps) {
        also.progress(seconds, of, qps);
    }

    @Override
    public void knee(double concurrency, Interval ci95, double qps) {
        also.knee(concurrency, ci95, qps);
    }

    @Override
    public void note(String says) {
        also.note(says);
    }

    /// Deletes the lines once the complete result is written, with its {@link EntryFile} or as
    /// {@link EntryFile#RESULT}.
    public static void done(Path folder) throws IOException {
        Files.deleteIfExists(folder.resolve(NAME));
    }

    /// Closes the file, which remains until the result is {@link #done}.
    @Override
    public void close() throws IOException {
        lines.close();
    }
}
