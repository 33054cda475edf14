package dev.jdyno.tune;

import dev.jdyno.compare.JournalFile;
import dev.jdyno.compare.Note;
import dev.jdyno.files.PrivateLines;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Secrets;
import dev.jdyno.plan.Environment;
import dev.jdyno.plan.Plan;
import dev.jdyno.plan.PlanText;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// The measurements of a tuning, one line each, written before any decision. A tuning that
/// continues after an interruption decides again from the same measurements, and so reaches the
/// same decisions.
final class Journal implements AutoCloseable {
    static final String NAME = "journal.jsonl";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /// One finished measurement.
    ///
    /// @param step digest of the measured step
    /// @param about description of the measured step
    /// @param seconds duration of the measurement
    /// @param elapsed time of the tuning when this step was finished, in seconds, without
    ///   interruptions
    /// @param recording file of a diagnosis; else empty
    /// @param raced the outcome of a comparison; else empty
    /// @param look findings of one start without load; else empty
    /// @param rewritten files of the subject that had changed by then. The service wrote them,
    ///   because the tuning does not
    record Entry(
            String step,
            String about,
            double seconds,
            double elapsed,
            Optional<String> recording,
            Optional<Race.Raced> raced,
            Optional<Look> look,
            List<String> rewritten) {
        Entry {
            Objects.requireNonNull(step);
            Objects.requireNonNull(about);
            Objects.requireNonNull(recording);
            Objects.requireNonNull(raced);
            Objects.requireNonNull(look);
            rewritten = List.copyOf(rewritten);
        }
    }

    /// The first line of a journal.
    ///
    /// @param subject the service and plan that this journal's measurements are of
    record Header(String schema, Subject subject) {
        Header {
            Objects.requireNonNull(schema);
            Objects.requireNonNull(subject);
        }
    }

    private static final String SCHEMA = "jdyno/tune-journal/3";

    private final JournalFile lines;
    private final NanoClock clock;
    private final long opened;
    private final Map<String, Entry> known;
    private double replayed;
    private final boolean resumes;
    private final Path folder;
    private final Subject begun;
    private final List<Note> notes;

    private Journal(
            Path folder,
            JournalFile lines,
            Content content,
            Subject begun,
            List<Note> notes,
            NanoClock clock) {
        this.folder = folder;
        this.begun = begun;
        this.notes = List.copyOf(notes);
        this.lines = lines;
        this.clock = clock;
        this.opened = clock.nanos();
        this.known = content.known;
        this.resumes = !known.isEmpty();
    }

    /// Opens the journal of a plan, or begins one.
    ///
    /// @param environment environment variables with which the service is started
    /// @throws dev.jdyno.measure.text.UserError if another tuning writes it, or it belongs to
    ///   another subject
    static Journal open(Path folder, Plan plan, Environment environment, NanoClock clock) {
        return open(
                folder,
                Subject.of(plan, environment, folder),
                PlanText.written(plan).lines().toList(),
                clock);
    }

    /// Opens the journal, or begins one. An incomplete last line belongs to an unfinished step and
    /// is dropped.
    ///
    /// @param seen the present service and plan
    /// @param plan the lines of the written plan
    /// @throws dev.jdyno.measure.text.UserError if another tuning writes it, or it belongs to
    ///   another subject
    static Journal open(Path folder, Subject.Seen seen, List<String> plan, NanoClock clock) {
        Subject subject = seen.subject();
        var content = new Content(folder.resolve(NAME));
        var lines = JournalFile.open(folder, NAME, "tunes", content);
        try {
            if (content.header.isEmpty()) {
                lines.append(JSON.writeValueAsString(new Header(SCHEMA, subject)));
            } else {
                content.header
                        .get()
                        .subject()
                        .requireSame(subject, folder, plan, content.rewritten());
            }
            Subject begun = content.header.map(Header::subject).orElse(subject);
            return new Journal(folder, lines, content, begun, seen.notes(), clock);
        } catch (RuntimeException notOurs) {
            lines.close();
            throw notOurs;
        }
    }

    /// The existing lines.
    private static final class Content implements PrivateLines.Reader {
        private final Path file;
        private final Map<String, Entry> known = new LinkedHashMap<>();
        private Optional<Header> header = Optional.empty();

        Content(Path file) {
            this.file = file;
        }

        Set<String> rewritten() {
            return known.values().stream()
                    .flatMap(e -> e.rewritten().stream())
                    .collect(Collectors.toSet());
        }

        @Override
        public boolean read(int number, String line) {
            try {
                if (number == 1) {
                    header =
                            Optional.ofNullable(JSON.readValue(line, Header.class))
                                    .filter(h -> SCHEMA.equals(h.schema()));
                    if (header.isEmpty()) {
                        throw JournalFile.foreign(file, "line 1 does not say what was measured");
                    }
                    return true;
                }
                // `null` is valid JSON, too
                Optional<Entry> entry = Optional.ofNullable(JSON.readValue(line, Entry.class));
                entry.ifPresent(e -> known.put(e.step(), e));
                return entry.isPresent();
            } catch (JacksonException | NullPointerException broken) {
                // the record's constructor rejects lines that no tuning wrote
                if (number == 1) {
                    throw JournalFile.foreign(file, "line 1 does not say what was measured")
                            .causedBy(broken);
                }
                return false;
            }
        }
    }

    /// Returns the note about an incomplete line that was dropped on opening.
    Optional<Note> dropped() {
        return lines.dropped();
    }

    /// Returns the notes on changes that cannot be detected when a tuning continues.
    List<Note> notes() {
        return notes;
    }

    /// True if the journal contained measurements when it was opened.
    boolean resumes() {
        return resumes;
    }

    /// Seconds of the tuning. The time of a step from an earlier run counts once the step is used
    /// again. The budget therefore ends where it would have ended without the interruption.
    double elapsed() {
        return replayed + clock.secondsSince(opened);
    }

    Optional<Entry> of(String step) {
        Optional<Entry> entry = Optional.ofNullable(known.get(digest(step)));
        entry.ifPresent(e -> replayed += Math.max(0, e.elapsed() - elapsed()));
        return entry;
    }

    /// @param recording path of the recording
    void diagnosed(String step, double seconds, String recording) {
        write(
                entry(
                        step,
                        "diagnosis",
                        seconds,
                        Optional.of(recording),
                        Optional.empty(),
                        Optional.empty()));
    }

    /// @param about description of the step
    void raced(String step, String about, double seconds, Race.Raced raced) {
        write(entry(step, about, seconds, Optional.empty(), Optional.of(raced), Optional.empty()));
    }

    void looked(String step, double seconds, Look look) {
        write(entry(step, "look", seconds, Optional.empty(), Optional.empty(), Optional.of(look)));
    }

    /// @param step full description of the measured step, which is stored as a digest
    private Entry entry(
            String step,
            String about,
            double seconds,
            Optional<String> recording,
            Optional<Race.Raced> raced,
            Optional<Look> look) {
        return new Entry(
                digest(step),
                Secrets.text(about),
                seconds,
                elapsed(),
                recording,
                raced,
                look,
                begun.rewritten(folder));
    }

    /// Writes an entry. It is on the disk when this method returns.
    private void write(Entry entry) {
        lines.append(JSON.writeValueAsString(entry));
        known.put(entry.step(), entry);
    }

    private static String digest(String step) {
        return Digests.of(step);
    }

    @Override
    public void close() {
        lines.close();
    }
}
