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

/// What was measured, a line each, written before anything is made of it. A tuning that goes on
/// after an interruption decides anew from the same measurements, and so comes to the same
/// decisions.
final class Journal implements AutoCloseable {
    static final String NAME = "journal.jsonl";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /// One finished measurement.
    ///
    /// @param step what was measured, as a digest
    /// @param about the same in words
    /// @param seconds it took
    /// @param elapsed of the tuning when it was finished, in seconds, without the time in which
    ///   nothing tuned
    /// @param recording file of a diagnosis; else empty
    /// @param raced the outcome of a comparison; else empty
    /// @param look what was found by one start without load; else empty
    /// @param rewritten files of the subject that had changed when it was finished: the service
    ///   writes them, for the tuning does not
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

    /// The first line.
    ///
    /// @param subject what the lines below are measurements of
    record Header(String schema, Subject subject) {
        Header {
            Objects.requireNonNull(schema);
            Objects.requireNonNull(subject);
        }
    }

    private static final String SCHEMA = "jdyno/tune-journal/2";

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

    /// Opens that of a plan, or begins one.
    ///
    /// @param environment that the service is started in
    /// @throws dev.jdyno.measure.text.UserError when another tuning writes it, or it is of
    ///   something else
    static Journal open(Path folder, Plan plan, Environment environment, NanoClock clock) {
        return open(
                folder,
                Subject.of(plan, environment, folder),
                PlanText.written(plan).lines().toList(),
                clock);
    }

    /// Opens it, or begins one. A last line that was cut short was not finished: it goes.
    ///
    /// @param seen what is measured
    /// @param plan its lines as they are written
    /// @throws dev.jdyno.measure.text.UserError when another tuning writes it, or it is of another
    ///   subject
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

    /// The lines that are there.
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
                // `null` is JSON, too
                Optional<Entry> entry = Optional.ofNullable(JSON.readValue(line, Entry.class));
                entry.ifPresent(e -> known.put(e.step(), e));
                return entry.isPresent();
            } catch (JacksonException | NullPointerException broken) {
                // a record that is complete at birth refuses what no tuning could have written
                if (number == 1) {
                    throw JournalFile.foreign(file, "line 1 does not say what was measured")
                            .causedBy(broken);
                }
                return false;
            }
        }
    }

    /// What had to be thrown away when it was opened.
    Optional<Note> dropped() {
        return lines.dropped();
    }

    /// What cannot be seen to change when a tuning goes on.
    List<Note> notes() {
        return notes;
    }

    /// Whether it held something when it was opened.
    boolean resumes() {
        return resumes;
    }

    /// Seconds of the tuning. What earlier runs finished counts from where it is used again: so a
    /// budget ends where it ended without the interruption.
    double elapsed() {
        return replayed + clock.secondsSince(opened);
    }

    Optional<Entry> of(String step) {
        Optional<Entry> entry = Optional.ofNullable(known.get(digest(step)));
        entry.ifPresent(e -> replayed += Math.max(0, e.elapsed() - elapsed()));
        return entry;
    }

    /// @param recording its file
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

    /// @param about the step in words
    void raced(String step, String about, double seconds, Race.Raced raced) {
        write(entry(step, about, seconds, Optional.empty(), Optional.of(raced), Optional.empty()));
    }

    void looked(String step, double seconds, Look look) {
        write(entry(step, "look", seconds, Optional.empty(), Optional.empty(), Optional.of(look)));
    }

    /// @param step what was measured, in full
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

    /// On the disk when this returns.
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
