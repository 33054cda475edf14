package dev.jdyno.tune;

import dev.jdyno.compare.Compared;
import dev.jdyno.compare.Metric;
import dev.jdyno.compare.MultiArm;
import dev.jdyno.compare.Note;
import dev.jdyno.compare.Outcome;
import dev.jdyno.compare.Settings;
import dev.jdyno.compare.StartNoise;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.trial.Service;
import dev.jdyno.trial.Session;
import dev.jdyno.tune.Race.Doubt;
import dev.jdyno.tune.Race.Ended;
import dev.jdyno.tune.Race.Kind;
import dev.jdyno.tune.Race.Raced;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Compares several sets of changes of one service with one control. All of them run at the same
/// time. It only measures throughput at saturation, because a fixed rate would have to be searched
/// first.
final class RaceAtOnce {
    /// Largest number of instances that run at once.
    static final int MAX_INSTANCES = 8;

    /// Minimum number of starts of a joint comparison. With four or more variants, two starts give
    /// the variation between starts that two variants give with three.
    static final int MIN_STARTS = 2;

    /// Arm of a joint comparison with all changes.
    private static final int ALL = MultiArm.CONTROL + 1;

    /// Largest share of the available memory that all instances may take.
    private static final double MEMORY_SHARE = 0.7;

    /// Memory of an instance outside its heap: classes, compiled code, threads, the collector.
    private static final Bytes BESIDE_HEAP = Bytes.mebi(384);

    private final Race race;
    private final Applied applied;
    private final TuneSettings settings;
    private final Service service;
    private final Session session;
    private final Watch watch;
    private final List<Note> notes = new ArrayList<>();
    private OptionalDouble heapBytes = OptionalDouble.empty();
    private OptionalDouble availableBytes = OptionalDouble.empty();

    /// How the service as it is failed beside other instances, which take what it needs. From then
    /// on, only two run at once.
    private Optional<Raced> failedBeside = Optional.empty();

    RaceAtOnce(
            Race race,
            Applied applied,
            TuneSettings settings,
            Service service,
            Session session,
            Watch watch) {
        this.race = race;
        this.applied = applied;
        this.settings = settings;
        this.service = service;
        this.session = session;
        this.watch = watch;
    }

    /// The result of a joint comparison.
    ///
    /// @param all the control against the service with all changes
    /// @param each one result for each set of changes; empty if the service with all changes failed
    record Joint(Raced all, List<Optional<TakenOut>> each) {
        Joint {
            each = List.copyOf(each);
        }
    }

    /// Two comparisons that show the effect of one set of changes among all sets.
    ///
    /// @param gives all other sets against all sets, so the effect of this one
    /// @param others the control against all other sets
    record TakenOut(Raced gives, Raced others) {}

    /// Returns the note on a service that failed beside other instances of it.
    List<Note> notes() {
        return notes;
    }

    /// Sets the maximum heap size of the service as it is.
    void heapBytes(double bytes) {
        heapBytes = OptionalDouble.of(bytes);
    }

    /// Sets the memory that was available when the tuning began. A tuning that continues uses the
    /// same figure, so that it decides the same.
    void availableBytes(double bytes) {
        availableBytes = OptionalDouble.of(bytes);
    }

    /// True if the service can run with all these sets of changes at once, by its ports and by the
    /// memory that was left when the tuning began.
    boolean fits(List<List<Change.Launch>> sets) {
        if (settings.needsRate()
                || settings.improved() != Metric.QPS
                || sets.size() > MAX_INSTANCES
                || failedBeside.isPresent()
                || !MultiArm.canRun(applied.variant(List.of()))
                || heapBytes.isEmpty()
                || availableBytes.isEmpty()) {
            return false;
        }
        double wanted =
                sets.stream()
                        .mapToDouble(s ->
                                HeapDivision.heapBytes(s).orElse(heapBytes.getAsDouble())
                                        + BESIDE_HEAP.value())
                        .sum();
        return wanted <= MEMORY_SHARE * availableBytes.getAsDouble();
    }

    /// Gives several sets of changes a look: one start of each, and one of the control.
    ///
    /// @return one result for each set. Empty for a set that failed beside the others, and for all
    ///   if the control failed: they may have failed for what the others took. The whole is empty
    ///   if it was stopped
    Optional<List<Optional<Raced>>> looks(
            List<Change.Launch> control, List<List<Change.Launch>> sets, int concurrency)
            throws InterruptedException {
        List<Optional<String>> refused = new ArrayList<>();
        List<List<Change.Launch>> accepted = new ArrayList<>();
        for (List<Change.Launch> set : sets) {
            Optional<String> why = race.refused(set);
            refused.add(why);
            if (why.isEmpty()) {
                accepted.add(set);
            }
        }
        Settings look = race.settings(Kind.LOOK, concurrency, settings.budget());
        MultiArm arms = arms(control, accepted, look);
        boolean measured = started(arms, Race.LOOK_PAIRS);
        if (session.isStopped()) {
            return Optional.empty();
        }
        List<Optional<Raced>> results = new ArrayList<>();
        int arm = MultiArm.CONTROL;
        for (Optional<String> why : refused) {
            if (why.isPresent()) {
                results.add(
                        Optional.of(new Raced(Ended.DID_NOT_START, Optional.empty(), why.get())));
                continue;
            }
            arm++;
            results.add(
                    measured && arms.failure(arm).isEmpty()
                            ? Optional.of(look(arms, arm)).filter(l -> l.ended() == Ended.MEASURED)
                            : Optional.empty());
        }
        return Optional.of(results);
    }

    private static Raced look(MultiArm arms, int arm) {
        return raced(arms, arm, arms.screened(MultiArm.CONTROL, arm), StartNoise.NONE);
    }

    /// Measures one more start.
    ///
    /// @return false if the control failed
    private boolean started(MultiArm arms, int pairs) throws InterruptedException {
        try {
            arms.start(pairs);
            return true;
        } catch (UserError controlFailed) {
            if (session.isStopped()) {
                throw controlFailed;
            }
            limitToTwo(Race.failed(true, controlFailed));
            return false;
        }
    }

    /// Returns how the service as it is failed beside other instances; empty if it did not.
    Optional<Raced> failedBeside() {
        return failedBeside;
    }

    /// From now on, only two instances run at once.
    void limitToTwo(Raced failed) {
        failedBeside = Optional.of(failed);
        var note = new Note.OnlyTwoAtOnce(failed.why());
        notes.add(note);
        watch.noted(note);
    }

    private MultiArm arms(
            List<Change.Launch> control, List<List<Change.Launch>> sets, Settings with) {
        return new MultiArm(
                Stream.concat(
                                Stream.of(applied.variant(control)),
                                sets.stream().map(race::candidate))
                        .toList(),
                with,
                service,
                race.nextSession(),
                new SplittableRandom(session.clock().nanos()));
    }

    /// Compares the control with all changes, and all changes with all but each set, in the same
    /// starts. So it shows whether all of them help, and which of them are needed.
    ///
    /// @param control the accepted changes
    /// @param sets at least two sets of further changes
    /// @param pairs number of blocks of each variant in a start
    /// @param most time limit: no start begins that would probably end after it
    /// @return empty if it was stopped before its end, or if the control failed beside the others
    Optional<Joint> prove(
            List<Change.Launch> control,
            List<List<Change.Launch>> sets,
            int concurrency,
            int pairs,
            Duration most,
            Step about)
            throws InterruptedException {
        Settings wanted = race.settings(Kind.PROVE, concurrency, most).withStarts(MIN_STARTS);
        List<List<Change.Launch>> variants = new ArrayList<>();
        variants.add(all(control, sets, -1));
        IntStream.range(0, sets.size()).forEach(i -> variants.add(all(control, sets, i)));
        MultiArm arms = arms(control, variants, wanted);
        long began = session.clock().nanos();
        int max = Kind.PROVE.most();
        while (arms.starts() < max) {
            watch.starts(about, arms.starts() + 1, MIN_STARTS, max);
            if (!started(arms, pairs) || session.isStopped()) {
                return Optional.empty();
            }
            if (arms.failure(ALL).isPresent()) {
                break;
            }
            watch.soFar(about, Measured.of(compared(arms, MultiArm.CONTROL, ALL, sets.size())));
            double seconds = session.clock().secondsSince(began);
            boolean noTime = seconds + seconds / arms.starts() > Durations.seconds(most);
            if (noTime || (arms.starts() >= MIN_STARTS && decided(arms, sets.size()))) {
                break;
            }
        }
        return Optional.of(joint(arms, sets.size()));
    }

    /// Arm without one of the sets.
    private static int without(int set) {
        return ALL + 1 + set;
    }

    /// @param left index of the set that is left out; -1 for none
    private static List<Change.Launch> all(
            List<Change.Launch> control, List<List<Change.Launch>> sets, int left) {
        List<Change.Launch> all = control;
        for (int i = 0; i < sets.size(); i++) {
            all = i == left ? all : Changes.with(all, sets.get(i));
        }
        return all;
    }

    /// True if all questions are decided, or if all changes together are not better.
    private boolean decided(MultiArm arms, int sets) {
        Outcome all = compared(arms, MultiArm.CONTROL, ALL, sets).verdict();
        return switch (all) {
            case WORSE, EQUIVALENT -> true;
            case INCONCLUSIVE -> false;
            case BETTER ->
                    IntStream.range(0, sets).allMatch(i -> isDecided(arms, without(i), sets));
        };
    }

    private boolean isDecided(MultiArm arms, int before, int sets) {
        return arms.failure(before).isPresent()
                || compared(arms, before, ALL, sets).verdict() != Outcome.INCONCLUSIVE;
    }

    private Joint joint(MultiArm arms, int sets) {
        Optional<UserError> failure = arms.failure(ALL);
        if (failure.isPresent()) {
            return new Joint(Race.failed(arms.hasAnswered(ALL), failure.get()), List.of());
        }
        Raced all = raced(arms, ALL, compared(arms, MultiArm.CONTROL, ALL, sets), arms.noise());
        List<Optional<TakenOut>> each =
                IntStream.range(0, sets)
                        .mapToObj(i ->
                                arms.failure(without(i)).isPresent()
                                        ? Optional.<TakenOut>empty()
                                        : Optional.of(takenOut(arms, i, sets)))
                        .toList();
        return new Joint(all, each);
    }

    private TakenOut takenOut(MultiArm arms, int set, int sets) {
        int without = without(set);
        return new TakenOut(
                raced(arms, ALL, compared(arms, without, ALL, sets), StartNoise.NONE),
                raced(
                        arms,
                        without,
                        compared(arms, MultiArm.CONTROL, without, sets),
                        StartNoise.NONE));
    }

    /// One comparison within the joint one. The comparison of all sets together and those of the
    /// single sets share the error probability.
    private Compared compared(MultiArm arms, int a, int b, int sets) {
        return arms.compared(a, b, race.noise(), sets + 1);
    }

    private static Raced raced(MultiArm arms, int arm, Compared compared, StartNoise noise) {
        Set<Doubt> doubts = EnumSet.noneOf(Doubt.class);
        // the short warm-up of a look is no doubt about it
        if (compared.restarted() && (arms.isUnsteady(MultiArm.CONTROL) || arms.isUnsteady(arm))) {
            doubts.add(Doubt.NOT_STEADY);
        }
        if (arms.isFilling(MultiArm.CONTROL) || arms.isFilling(arm)) {
            doubts.add(Doubt.HEAP_FILLS);
        }
        return Race.raced(compared, arms.failedRequests(arm), doubts, noise);
    }
}
