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

/// What a search measured, a line each, on the disk before anything is made of it. A search that
/// goes on takes the lines for measured, so that nothing is measured twice.
final class BisectJournal implements AutoCloseable {
    static final String NAME = "bisect.jsonl";
    private static final String SCHEMA = "jdyno/bisect-journal/1";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final JournalFile lines;
    private final List<Step> steps;

    /// What the lines below are measurements of.
    ///
    /// @param plan its lines as they are written
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

    /// One line: what was measured of a version, or why nothing can be.
    ///
    /// @param version its index
    /// @param ratios of each start to the good version, by figure
    /// @param before means of the good version, by figure
    /// @param worse the figure that the first comparison called worse; else empty
    /// @param decided whether the first comparison was decided
    /// @param loads of all comparisons
    /// @param skipped why the version cannot be measured; else empty
    /// @param built whether it was built
    /// @param seconds of measuring
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

    /// Opens that of an interrupted search, or begins one.
    ///
    /// @param versions how many there are
    /// @throws dev.jdyno.measure.text.UserError when another search writes it, or it is of another
    ///   subject
    static BisectJournal open(Path folder, Subject subject, int versions) {
        var content = new Content(folder.resolve(NAME), subject, versions);
        var lines = JournalFile.open(folder, NAME, "searches", content);
        if (!content.begun) {
            lines.append(JSON.writeValueAsString(subject));
        }
        return new BisectJournal(lines, content.steps);
    }

    /// The lines that are there.
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

        /// No search writes anything else.
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

    /// What was measured so far, in that order.
    List<Step> steps() {
        return List.copyOf(steps);
    }

    /// The line that a kill had cut short, if there was one.
    Optional<Note> dropped() {
        return lines.dropped();
    }

    /// On the disk when this returns.
    ///
    /// @throws dev.jdyno.measure.text.UserError when it cannot be written
    void add(Step step) {
        lines.append(JSON.writeValueAsString(step));
        steps.add(step);
    }

    @Override
    public void close() {
        lines.close();
    }
}
