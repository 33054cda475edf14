package dev.jdyno.tune;

import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Note;
import dev.jdyno.diagnose.Recommendations;
import dev.jdyno.judge.Judge;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.load.DriverFacts;
import dev.jdyno.measure.load.LoadFacts;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.plan.Plan;
import dev.jdyno.sizing.HeapReading;
import dev.jdyno.trial.Service;
import dev.jdyno.trial.Session;
import dev.jdyno.trial.Side;
import dev.jdyno.trial.TrialOutcome;
import dev.jdyno.trial.recording.RecordingFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;

/// Diagnoses the service with some changes and chooses the candidates to try next.
final class Diagnoses {
    private static final String GC_LOG = "gc.log";
    private static final String LOOK = "look";

    /// A property without effect. A JVM that was started without it gets no flags from its command.
    private static final Change.SystemProperty MARK = new Change.SystemProperty("jdyno.look", "1");

    private final Plan plan;
    private final TuneSettings settings;
    private final PoolSettings pools;
    private final Applied applied;
    private final Journal journal;
    private final Service service;
    private final Session session;
    private final Map<Path, List<ModelSizes.Sized>> sizes = new HashMap<>();
    private final List<Note> notes = new ArrayList<>();
    private int diagnoses;
    private boolean takesFlags = true;
    private double startSeconds;
    private Optional<Double> availableBytes = Optional.empty();
    private OptionalDouble longestSeconds = OptionalDouble.empty();
    private Optional<Double> runSeconds = Optional.empty();
    private double warmUpSeconds = TuneSettings.SERVICE_WARM_UP_SECONDS;

    Diagnoses(
            Plan plan,
            TuneSettings settings,
            PoolSettings pools,
            Applied applied,
            Journal journal,
            Service service,
            Session session) {
        this.plan = plan;
        this.settings = settings;
        this.pools = pools;
        this.applied = applied;
        this.journal = journal;
        this.service = service;
        this.session = session;
    }

    /// A diagnosis and the folder with its files.
    record Made(Recording recording, Path folder) {}

    /// Starts the service once without load. This shows how it logs, how long it takes to start,
    /// and whether its launch command passes flags on to the JVM. Uses the journal's entry if there
    /// is one.
    ///
    /// @return the command that runs the service's JVM; empty if it is unknown
    Optional<Path> observeIdleStart() throws InterruptedException {
        Optional<Look> known = journal.of(LOOK).flatMap(Journal.Entry::look);
        Look look = known.isPresent() ? known.get() : look();
        startSeconds = look.startSeconds();
        applied.logging(look.logging(), look.dearPatterns());
        takesFlags = look.takesFlags();
        availableBytes = look.availableBytes();
        if (!takesFlags) {
            notes.add(new Note.FlagsNotTaken());
        }
        return look.java().map(Path::of);
    }

    private Look look() throws InterruptedException {
        session.listener().phase("looking at how the service is started");
        long begun = session.clock().nanos();
        try (Side side =
                service.open(applied.variant(List.of(MARK)).started(), session.inside("look"))) {
            double answered = session.clock().secondsSince(begun);
            String mark = "-D" + MARK.name() + "=" + MARK.value();
            var look =
                    new Look(
                            answered,
                            side.facts().map(f -> f.flags().contains(mark)).orElse(true),
                            side.java().map(Path::toString),
                            side.logging().stream().filter(Applied::isOfUse).toList(),
                            side.costlyLogPatterns(),
                            service.availableMemory().map(b -> (double) b.value()));
            journal.looked(LOOK, session.clock().secondsSince(begun), look);
            return look;
        }
    }

    /// Memory that further instances of the service could take when the tuning began; empty if it
    /// is unknown.
    Optional<Double> availableBytes() {
        return availableBytes;
    }

    /// Seconds from the launch to the first good answer.
    double startSeconds() {
        return startSeconds;
    }

    /// Seconds from the first good answer until steady, in the last diagnosis.
    double warmUpSeconds() {
        return warmUpSeconds;
    }

    /// Seconds that a run of the user's load tool takes, in the last diagnosis; empty if jdyno
    /// sends the load.
    Optional<Double> runSeconds() {
        return runSeconds;
    }

    /// Duration of the longest diagnosis so far, in earlier runs of the tuning too; empty before
    /// the first.
    OptionalDouble longestSeconds() {
        return longestSeconds;
    }

    private void took(double seconds) {
        longestSeconds = OptionalDouble.of(Math.max(seconds, longestSeconds.orElse(0)));
    }

    /// Returns the notes on what could not be tried or predicted.
    List<Note> notes() {
        return List.copyOf(notes);
    }

    /// Returns loads around the last knee, which show without a search where the knee has moved to.
    ///
    /// @param compared requests in flight at which the last change was accepted
    static List<Integer> steps(Diagnosed last, int compared) {
        int knee = (int) Math.max(1, Math.round(last.knee()));
        return Stream.of(1, (knee + 1) / 2, knee, 2 * knee, 4 * knee, compared)
                .distinct()
                .sorted()
                .toList();
    }

    /// Diagnoses the service with these changes; empty if it was stopped before a round ended.
    ///
    /// @param steps loads to measure; empty: those of the plan, or a search for the knee
    Optional<Made> of(List<Change.Launch> changes, List<Integer> steps)
            throws InterruptedException {
        diagnoses++;
        String step = "diagnosis\n" + Changes.ids(changes);
        Optional<Journal.Entry> known = journal.of(step);
        if (known.flatMap(Journal.Entry::recording).isPresent()) {
            took(known.get().seconds());
            return Optional.of(made(known.get().recording().orElseThrow()));
        }
        long start = session.clock().nanos();
        String name = "diagnosis-" + diagnoses;
        Plan started = applied.variant(changes).started();
        Plan.Rounds rounds = plan.rounds();
        if (!steps.isEmpty() && rounds.concurrency().isEmpty()) {
            started =
                    started.withRounds(
                            new Plan.Rounds(
                                    rounds.length(),
                                    rounds.settle(),
                                    steps,
                                    rounds.maxConcurrency()));
        }
        TrialOutcome outcome = service.trial(started, session.inside(name));
        if (outcome.failure().isPresent()) {
            throw outcome.failure().get();
        }
        if (session.isStopped() || outcome.recording().rounds().isEmpty()) {
            return Optional.empty();
        }
        String file = name + "/" + RecordingFile.NAME;
        try {
            RecordingFile.write(outcome.recording(), session.folder().resolve(file));
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot write " + file,
                            String.valueOf(e.getMessage()),
                            "give --out DIR where files can be written")
                    .causedBy(e);
        }
        double seconds = session.clock().secondsSince(start);
        took(seconds);
        journal.diagnosed(step, seconds, file);
        // read back from the file, so that a tuning with and without an interruption uses the same
        // data
        return Optional.of(made(file));
    }

    private Made made(String recording) {
        Path file = session.folder().resolve(recording);
        var made = new Made(RecordingFile.read(file), Objects.requireNonNull(file.getParent()));
        warmUpSeconds = made.recording().warmupSeconds().orElse(warmUpSeconds);
        runSeconds =
                made.recording().load().flatMap(LoadFacts::driver).flatMap(DriverFacts::runSeconds);
        return made;
    }

    private Judge judge() {
        return Judge.rankingBy(
                settings.improved() == Metric.QPS
                        ? Recommendations.Aim.QPS
                        : Recommendations.Aim.RT);
    }

    RunResult judged(Recording recording) {
        return judge().result(
                        new RunResult.About("", "tune", Instant.EPOCH, 0, plan.name()), recording);
    }

    /// @param incumbent the accepted changes so far
    /// @param tried knob values that were tried, by the knob's name
    List<Candidate> candidates(
            Made made, List<Change.Launch> incumbent, Map<String, Set<String>> tried) {
        Recording recording = made.recording();
        RunResult result = judged(recording);
        Set<Bottleneck> also = EnumSet.noneOf(Bottleneck.class);
        if (Candidates.collecting(result) >= Candidates.GC_FROM) {
            also.add(Bottleneck.GC_ALLOCATION);
            also.add(Bottleneck.GC_PROMOTION);
        }
        List<Recommendation> otherAdvice = judge().recommendationsOfOthers(recording, also);
        List<ModelSizes.Sized> sized =
                Candidates.collecting(result) < Candidates.GC_FROM
                        ? List.of()
                        : sizes.computeIfAbsent(made.folder(), _ -> sizes(made));
        return new Candidates(
                        pools,
                        plan.knobs(),
                        applied.costlyLogging(),
                        applied.cheaperPatterns(),
                        settings.keepHeap(),
                        takesFlags)
                .of(result, otherAdvice, sized, incumbent, tried);
    }

    /// Returns the heap model's sizes for the diagnosis's GC log; empty without a log.
    private List<ModelSizes.Sized> sizes(Made made) {
        Path log = made.folder().resolve(GC_LOG);
        TargetFacts facts = made.recording().target();
        if (facts.collector().isEmpty()
                || facts.heapMaxBytes().isEmpty()
                || !Files.isRegularFile(log)) {
            return List.of();
        }
        String flags =
                "-XX:+Use"
                        + facts.collector().get().replaceFirst("GC$", "")
                        + "GC -XX:MaxHeapSize="
                        + facts.heapMaxBytes().get();
        try {
            return HeapReading.tapped(log, flags)
                    .map(seen ->
                            new ModelSizes(seen, facts.flags()).best(memoryBytes(made.recording())))
                    .orElse(List.of());
        } catch (UserError unread) {
            notes.add(new Note.HeapModelNotAsked(unread.what(), unread.why()));
            return List.of();
        }
    }

    private static double memoryBytes(Recording recording) {
        long machine = recording.machine().memoryBytes();
        return recording
                .target()
                .memoryLimitBytes()
                .filter(limit -> limit > 0 && (machine <= 0 || limit < machine))
                .orElse(machine);
    }
}
