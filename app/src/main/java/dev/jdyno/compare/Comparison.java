package dev.jdyno.compare;

import dev.jdyno.files.PrivateFolder;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Plan;
import dev.jdyno.trial.Side;
import dev.jdyno.trial.TrialListener;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/// Compares two variants: starts both again and again, loads them in turns, and looks after each
/// start whether it is decided.
///
/// Where both can run at once they do, and their blocks alternate within seconds; the one whose
/// turn it is not gets no request. Where they cannot, each start measures one after the other.
public final class Comparison {
    /// Times that a block is measured again because the machine or the client spoilt it.
    private static final int MOST_AGAIN = 2;

    /// Pairs that a start is worth at most: starts differ by more than pairs of one start.
    private static final int MOST_PAIRS = 3;

    /// Of a look for which nothing is left to spend: it decides next to nothing.
    private static final double LEAST_ALPHA = 1e-6;

    private static final Duration LEAST_WARM_UP = Duration.ofSeconds(3);

    private static final int WARM_UP_CONCURRENCY = 8;

    private final Variant a;
    private final Variant b;
    private final Settings settings;
    private final Judging judging;
    private final Path folder;
    private final TrialListener listener;
    private final NanoClock clock;
    private final BooleanSupplier stop;
    private final RandomGenerator random;
    private final List<Start> starts = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final Set<String> unsteady = new HashSet<>();
    private Optional<TargetFacts> factsA = Optional.empty();
    private Optional<TargetFacts> factsB = Optional.empty();
    private OptionalInt wantedPairs = OptionalInt.empty();
    private int concurrency;
    private double ratePerS;
    private long began;
    private boolean atB;
    private boolean bAnswered;

    /// @param folder where the output of launched services goes
    /// @param random decides which variant goes first in each pair
    /// @param stop asked at least four times a second; true ends it with what it has
    public Comparison(
            Variant a,
            Variant b,
            Settings settings,
            Path folder,
            TrialListener listener,
            NanoClock clock,
            BooleanSupplier stop,
            RandomGenerator random) {
        this.a = a;
        this.b = b;
        this.settings = settings;
        this.folder = folder;
        this.listener = listener;
        this.clock = clock;
        this.stop = stop;
        this.random = random;
        this.judging =
                new Judging(settings.primary(), settings.minEffect(), restarts(a) || restarts(b));
        this.concurrency = settings.concurrency().orElse(0);
        this.ratePerS = settings.ratePerS().orElse(0);
    }

    private static boolean restarts(Variant v) {
        return v.command().isPresent();
    }

    /// Whether both can run at once: they listen at different ports.
    private boolean sideBySide() {
        return (a.takesPort() && b.takesPort())
                || a.plan().url().getPort() != b.plan().url().getPort();
    }

    /// What it says of a comparison that goes on.
    public interface Watch {
        /// After each start.
        void look(Compared soFar, double secondsEach, int most);
    }

    /// Runs until the primary figure is decided, the budget is over, or it is stopped.
    ///
    /// @throws UserError when a variant does not start or gives no good answer before there is
    ///   anything to say
    public Compared run(Watch watch) throws InterruptedException {
        began = clock.nanos();
        double budget = Durations.seconds(settings.budget());
        double alpha = Judging.ALPHA;
        double spent = 0;
        while (!stop.getAsBoolean()) {
            long start = clock.nanos();
            try {
                measure().ifPresent(starts::add);
            } catch (UserError midway) {
                if (starts.isEmpty()) {
                    throw midway;
                }
                notes.add(midway.what() + ": " + midway.why());
                return compared(alpha, true, Optional.empty());
            }
            if (stop.getAsBoolean() || starts.isEmpty()) {
                break;
            }
            double each = clock.secondsSince(starts.size() == 1 ? start : began) / starts.size();
            double left = budget - clock.secondsSince(began);
            int most =
                    Math.min(
                            settings.mostStarts().orElse(Integer.MAX_VALUE),
                            Math.max(
                                    starts.size() + (int) Math.max(0, left / each),
                                    settings.leastStarts()));
            boolean last = starts.size() >= most;
            // the number of looks is an estimate that changes: what was spent stays spent
            double by = new Looks(Judging.ALPHA, most).spent(starts.size());
            alpha = Math.max(LEAST_ALPHA, by - spent);
            if (starts.size() < settings.leastStarts() && judging.restarted()) {
                watch.look(compared(alpha, false, Optional.of(each)), each, most);
                continue;
            }
            spent = Math.max(spent, by);
            Compared soFar = compared(alpha, false, Optional.of(each));
            watch.look(soFar, each, most);
            boolean decided =
                    soFar.row(settings.primary())
                            .filter(r -> r.outcome() != Outcome.INCONCLUSIVE)
                            .isPresent();
            if (decided || last) {
                return soFar;
            }
        }
        return compared(alpha, true, Optional.empty());
    }

    /// One start of both, whose pairs are the units: how starts differ is not in the intervals, so
    /// this only tells what is worth a comparison.
    ///
    /// @param pairs of blocks at each load
    /// @throws UserError when a variant does not start or gives no good answer
    public Compared screen(int pairs) throws InterruptedException {
        began = clock.nanos();
        wantedPairs = OptionalInt.of(pairs);
        measure().ifPresent(starts::add);
        return compared(
                new Judging(settings.primary(), settings.minEffect(), false),
                Judging.ALPHA,
                stop.getAsBoolean(),
                Optional.empty());
    }

    /// Which variant was at work at last: the one that failed, when it ended by an error.
    public boolean wasAtB() {
        return atB;
    }

    /// Whether B came up and gave a good answer, at one start at least.
    public boolean hasAnsweredB() {
        return bAnswered;
    }

    private Compared compared(double alpha, boolean partial, Optional<Double> secondsEach) {
        return compared(judging, alpha, partial, secondsEach);
    }

    private Compared compared(
            Judging judging, double alpha, boolean partial, Optional<Double> secondsEach) {
        List<Compared.Row> rows = judging.rows(starts, alpha);
        Outcome verdict = judging.verdict(rows);
        Optional<Double> decide =
                rows.stream()
                        .filter(r -> r.metric() == settings.primary())
                        .filter(r -> r.outcome() == Outcome.INCONCLUSIVE)
                        .flatMap(r -> r.effect().stream())
                        .flatMap(e -> judging.startsToDecide(e).stream())
                        .flatMap(n -> secondsEach.map(s -> s * (n - starts.size())).stream())
                        .findFirst();
        return new Compared(
                verdict,
                settings.primary(),
                rows,
                starts.size(),
                starts.stream().mapToInt(s -> s.pairs().size()).sum(),
                starts.stream().mapToInt(Start::discarded).sum(),
                concurrency,
                ratePerS,
                clock.secondsSince(began),
                decide.filter(s -> s > 0),
                judging.restarted(),
                settings.minEffect(),
                factsA,
                factsB,
                notes,
                partial);
    }

    /// One start; empty when it was stopped before a pair was measured.
    private Optional<Start> measure() throws InterruptedException {
        return sideBySide() ? together() : inTurn();
    }

    private Optional<Start> together() throws InterruptedException {
        long start = clock.nanos();
        try (Side first = open(a, "a");
                Side second = open(b, "b")) {
            know(first, second);
            warmUp(first, "A");
            warmUp(second, "B");
            chooseLoads(List.of(first, second));
            int pairs = pairs(clock.secondsSince(start));
            var blocks = new Blocks();
            for (int i = 0; i < pairs && !stop.getAsBoolean(); i++) {
                boolean aFirst = random.nextBoolean();
                for (Metric.Load load : settings.loads()) {
                    pair(load, first, second, aFirst, blocks);
                }
            }
            return blocks.start();
        }
    }

    /// More pairs of one start where a start is dear: the best number goes with the root of the
    /// costs.
    private int pairs(double startSeconds) {
        if (wantedPairs.isPresent()) {
            return wantedPairs.getAsInt();
        }
        double pairSeconds = 2 * 2 * (Durations.seconds(settings.block()) + 1);
        return Math.clamp(Math.round(Math.sqrt(startSeconds / pairSeconds)), 1, MOST_PAIRS);
    }

    private void pair(Metric.Load load, Side first, Side second, boolean aFirst, Blocks blocks)
            throws InterruptedException {
        Optional<Round> early = block(load, aFirst ? first : second, aFirst ? "A" : "B", blocks);
        Optional<Round> late = block(load, aFirst ? second : first, aFirst ? "B" : "A", blocks);
        blocks.add(load, aFirst ? early : late, aFirst ? late : early);
    }

    /// The same loads one variant after the other, for they cannot run at once.
    private Optional<Start> inTurn() throws InterruptedException {
        var blocks = new Blocks();
        boolean aFirst = random.nextBoolean();
        Map<Metric.Load, Round> early = allLoads(aFirst, blocks);
        Map<Metric.Load, Round> late = allLoads(!aFirst, blocks);
        for (Metric.Load load : settings.loads()) {
            Optional<Round> before = Optional.ofNullable(early.get(load));
            Optional<Round> after = Optional.ofNullable(late.get(load));
            blocks.add(load, aFirst ? before : after, aFirst ? after : before);
        }
        return blocks.start();
    }

    private Map<Metric.Load, Round> allLoads(boolean isA, Blocks blocks)
            throws InterruptedException {
        Map<Metric.Load, Round> rounds = new EnumMap<>(Metric.Load.class);
        String name = isA ? "A" : "B";
        try (Side side = open(isA ? a : b, isA ? "a" : "b")) {
            know(isA, side);
            warmUp(side, name);
            chooseLoads(List.of(side));
            for (Metric.Load load : settings.loads()) {
                block(load, side, name, blocks).ifPresent(r -> rounds.put(load, r));
            }
        }
        return rounds;
    }

    private Side open(Variant variant, String name) throws InterruptedException {
        if (variant.command().isPresent()) {
            listener.phase("starting " + name.toUpperCase(Locale.ROOT));
        }
        atB = name.equals("b");
        Path own = PrivateFolder.inside(folder, "start-" + (starts.size() + 1) + "-" + name);
        Side side = Side.open(variant.started(), own, listener, clock, stop);
        bAnswered |= atB;
        return side;
    }

    private void know(Side first, Side second) throws InterruptedException {
        know(true, first);
        know(false, second);
    }

    private void know(boolean isA, Side side) throws InterruptedException {
        atB = !isA;
        Optional<TargetFacts> facts = side.facts();
        facts.ifPresent((isA ? a : b)::requireFlags);
        if (isA) {
            factsA = facts;
        } else {
            factsB = facts;
        }
    }

    private void warmUp(Side side, String name) throws InterruptedException {
        atB = name.equals("B");
        side.warmUp(new Plan.Warmup(LEAST_WARM_UP, settings.warmup(), WARM_UP_CONCURRENCY))
                .filter(_ -> unsteady.add(name))
                .map(w -> name + " was not steady after its warm-up: " + w.says())
                .ifPresent(notes::add);
    }

    /// Once, at the first start: both get the same loads from then on.
    private void chooseLoads(List<Side> sides) throws InterruptedException {
        boolean needsRate = settings.loads().contains(Metric.Load.FIXED_RATE);
        if (concurrency > 0 && (ratePerS > 0 || !needsRate)) {
            return;
        }
        listener.phase("finding loads that both can serve");
        double knee = Double.POSITIVE_INFINITY;
        double most = Double.POSITIVE_INFINITY;
        for (Side side : sides) {
            Side.Capacity capacity = side.capacity();
            knee = Math.min(knee, capacity.knee());
            most = Math.min(most, capacity.qps());
        }
        if (stop.getAsBoolean()) {
            return;
        }
        if (concurrency == 0) {
            concurrency = Loads.beyond(knee);
        }
        if (ratePerS == 0) {
            ratePerS = Loads.easy(most);
        }
    }

    /// A block, or another one where the machine or the client spoilt it; empty where all were
    /// spoilt, or it was stopped.
    private Optional<Round> block(Metric.Load load, Side side, String name, Blocks blocks)
            throws InterruptedException {
        double seconds = Durations.seconds(settings.block());
        atB = name.equals("B");
        for (int i = 0; i <= MOST_AGAIN && !stop.getAsBoolean(); i++) {
            listener.phase(
                    "measuring "
                            + name
                            + (load == Metric.Load.SATURATED
                                    ? " with " + concurrency + " in flight"
                                    : " at a fixed rate"));
            Optional<Round> round =
                    load == Metric.Load.SATURATED
                            ? side.saturated(concurrency, seconds)
                            : side.atRate(ratePerS, Loads.connections(concurrency), seconds);
            if (round.isEmpty() || !spoilt(round.get())) {
                return round;
            }
            blocks.discarded++;
        }
        return Optional.empty();
    }

    private static boolean spoilt(Round round) {
        return round.client().saturated() || round.client().heldUp();
    }

    /// The blocks of one start, as they come.
    private static final class Blocks {
        private final List<Pair> pairs = new ArrayList<>();
        private int discarded;

        void add(Metric.Load load, Optional<Round> ofA, Optional<Round> ofB) {
            if (ofA.isPresent() && ofB.isPresent()) {
                pairs.add(new Pair(load, ofA.get(), ofB.get()));
            }
        }

        Optional<Start> start() {
            return pairs.isEmpty() && discarded == 0
                    ? Optional.empty()
                    : Optional.of(new Start(pairs, discarded));
        }
    }
}
