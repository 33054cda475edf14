package dev.jdyno.guard;

import dev.jdyno.compare.JournalFile;
import dev.jdyno.compare.Loads;
import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Note;
import dev.jdyno.files.PrivateLines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// The measurements of a bisection, one line each. Each line is on the disk before a decision uses
/// it. A continued bisection reads these lines instead of measuring again.
final class BisectJournal implements AutoCloseable {
    static final String NAME = "bisect.jsonl";
    private static final String SCHEMA = "jdyno/bisect-journal/1";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final JournalFile lines;
    private final List<Step> steps;

    /// Identifies the bisection to which the lines of the journal belong.
    ///
    /// @param plan the lines of the written plan
    /// @param good hash of the commit
    /// @param bad hash of the commit
    /// @param minEffect smallest change of a figure that matters
    /// @param blockMs length of a block
    /// @param warmupMs longest warm-up
    record Subject(
            String schema,
            List<String> plan,
            String good,
            String bad,
            double minEffect,
            long blockMs,
            long warmupMs) {
        Subject {
            Objects.requireNonNull(schema);
            Objects.requireNonNull(good);
            Objects.requireNonNull(bad);
            plan = List.copyOf(plan);
        }

        static Subject of(List<String> plan, String good, String bad, BisectSettings settings) {
            return new Subject(
                    SCHEMA,
                    plan,
                    good,
                    bad,
                    settings.minEffect(),
                    settings.block().toMillis(),
                    settings.warmup().toMillis());
        }
    }

    /// One line: the measurement of a version, or the reason why it cannot be measured.
    ///
    /// @param version index of the version
    /// @param ratios ratio of each start to the good version, by figure
    /// @param before means of the good version, by figure
    /// @param worse the figure that the comparison of the ends found worse; else empty
    /// @param decided whether that comparison was conclusive
    /// @param loads loads of all comparisons
    /// @param skipped why the version cannot be measured; else empty
    /// @param built whether the version was built
    /// @param seconds duration of the measurement
    record Step(
            int version,
            Map<Metric, List<Double>> ratios,
            Map<Metric, Double> before,
            Optional<Metric> worse,
            boolean decided,
            Optional<Loads> loads,
            Optional<String> skipped,
            boolean built,
            double seconds) {
        Step {
            ratios = Map.copyOf(ratios);
            before = Map.copyOf(before);
            Objects.requireNonNull(worse);
            Objects.requireNonNull(loads);
            Objects.requireNonNull(skipped);
        }

        static Step skipped(int version, boolean built, String why, double seconds) {
            return new Step(
                    version,
                    Map.of(),
                    Map.of(),
                    Optional.empty(),
                    false,
                    Optional.empty(),
                    Optional.of(why),
                    built,
                    seconds);
        }

        List<Double> of(Metric figure) {
            return ratios.getOrDefault(figure, List.of());
        }
    }

    private BisectJournal(JournalFile lines, List<Step> steps) {
        this.lines = lines;
        this.steps = steps;
    }

    /// Opens the journal of an interrupted bisection, or begins one.
    ///
    /// @param versions number of versions
    /// @throws dev.jdyno.measure.text.UserError if another bisection writes it, or it belongs to
    ///   another subject
    static BisectJournal open(Path folder, Subject subject, int versions) {
        var content = new Content(folder.resolve(NAME), subject, versions);
        var lines = JournalFile.open(folder, NAME, "searches", content);
        if (!content.begun) {
            lines.append(JSON.writeValueAsString(subject));
        }
        return new BisectJournal(lines, content.steps);
    }

    /// The existing lines.
    private static final class Content implements PrivateLines.Reader {
        private final Path file;
        private final Subject subject;
        private final int versions;
        private final List<Step> steps = new ArrayList<>();
        private boolean begun;

        Content(Path file, Subject subject, int versions) {
            this.file = file;
            this.subject = subject;
            this.versions = versions;
        }

        @Override
        public boolean read(int number, String line) {
            if (number == 1) {
                requireSame(line);
                begun = true;
                return true;
            }
            try {
                Optional<Step> step = Optional.ofNullable(JSON.readValue(line, Step.class));
                if (step.filter(this::isPossible).isEmpty()) {
                    return false;
                }
                steps.add(step.get());
                return true;
            } catch (JacksonException | NullPointerException broken) {
                return false;
            }
        }

        private void requireSame(String line) {
            Subject there;
            try {
                there = JSON.readValue(line, Subject.class);
            } catch (JacksonException | NullPointerException broken) {
                throw JournalFile.foreign(file, "line 1 does not say what was measured")
                        .causedBy(broken);
            }
            if (!subject.equals(there)) {
                throw JournalFile.foreign(
                        file,
                        "it is of another plan, other commits, or other --block, --warmup or"
                                + " --min-effect");
            }
        }

        /// True if a bisection can have written this line.
        private boolean isPossible(Step step) {
            return step.version() >= 1
                    && step.version() < versions
                    && step.seconds() >= 0
                    && (step.skipped().isEmpty() || step.version() < versions - 1)
                    && step.ratios().values().stream()
                            .flatMap(List::stream)
                            .allMatch(r -> r > 0 && Double.isFinite(r));
        }
    }

    /// Returns the steps so far, in the order of measurement.
    List<Step> steps() {
        return List.copyOf(steps);
    }

    /// Returns the note about an incomplete last line, if there was one.
    Optional<Note> dropped() {
        return lines.dropped();
    }

    /// Adds a step, which is on the disk when this returns.
    ///
    /// @throws dev.jdyno.measure.text.UserError if it cannot be written
    void add(Step step) {
        lines.append(JSON.writeValueAsString(step));
        steps.add(step);
    }

    @Override
    public void close() {
        lines.close();
    }
}
