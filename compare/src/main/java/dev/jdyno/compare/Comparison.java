package dev.jdyno.compare;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.load.Goal;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.trial.Service;
import dev.jdyno.trial.Session;
import dev.jdyno.trial.Side;
import dev.jdyno.trial.TrialListener;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.DoubleUnaryOperator;
import java.util.random.RandomGenerator;

/// Compares two variants. It starts both repeatedly, loads them in turns, and checks after each
/// start whether the comparison is decided.
///
/// If the two can run at once, they do, and their blocks alternate within seconds. A variant gets
/// no request during the other's block. Otherwise each start measures one variant after the other.
public final class Comparison {
    /// Error probability of a judgement after all of the comparison's error probability is spent.
    /// Such a judgement rarely decides.
    private static final double MIN_ALPHA = 1e-6;

    private final Variant a;
    private final Variant b;
    private final Settings settings;
    private Judging judging;
    private final Service service;
    private final Session session;
    private final RandomGenerator random;
    private final List<Start> starts = new ArrayList<>();
    private final List<Note> notes = new ArrayList<>();
    private final Set<Arm> unsteady = EnumSet.noneOf(Arm.class);
    private final Set<Arm> filling = EnumSet.noneOf(Arm.class);
    private final Map<Arm, TargetFacts> facts = new EnumMap<>(Arm.class);

    /// Highest throughput of each variant, in requests/s.
    private final Map<Arm, Double> capacities = new EnumMap<>(Arm.class);

    private OptionalInt wantedPairs = OptionalInt.empty();

    private final PairNumbers numbers = new PairNumbers();

    private int concurrency;
    private double ratePerS;
    private final StartTimes times;
    private Arm at = Arm.A;
    private boolean bAnswered;

    /// @param service starts and opens the variants
    /// @param random decides which variant goes first in each pair
    public Comparison(
            Variant a,
            Variant b,
            Settings settings,
            Service service,
            Session session,
            RandomGenerator random) {
        this.a = a;
        this.b = b;
        this.settings = settings;
        this.service = service;
        this.session = session;
        this.random = random;
        this.times = new StartTimes(settings, session.clock());
        boolean restarted = a.isStarted() || b.isStarted();
        this.judging = new Judging(settings.primary(), settings.minEffect(), restarted);
        this.concurrency = settings.concurrency().orElse(0);
        this.ratePerS = settings.ratePerS().orElse(0);
    }

    /// Adds the variation between starts that other comparisons of the same service have measured.
    public Comparison knowing(StartNoise noise) {
        judging = judging.knowing(noise);
        return this;
    }

    /// Ends the comparison early, undecided, if its minimum number of starts does not fit into a
    /// time. Without a limit, that minimum is measured even if it takes longer than the budget.
    ///
    /// @param limit the time in seconds, from the expected seconds of a further start
    public Comparison endingWithin(DoubleUnaryOperator limit) {
        times.limit(limit);
        return this;
    }

    /// Returns the expected seconds of a further start, after at least one start.
    public double furtherStartSeconds() {
        return times.further(starts.size());
    }

    /// Returns the variation between the starts of this comparison.
    public StartNoise noise() {
        return judging.noise(starts);
    }

    /// Receives the progress of a comparison.
    public interface Watch {
        /// Called before each start; numbers begin at 1.
        default void begins(int start) {
            // the phases of a start already report progress
        }

        /// Called after each start.
        void look(Compared soFar, double secondsEach, int max);
    }

    /// Runs until the primary figure is decided, the budget is spent, or the comparison is stopped.
    ///
    /// @throws UserError if a variant does not start or gives no good answer during the first start
    public Compared run(Watch watch) throws InterruptedException {
        times.begin();
        double alpha = Judging.ALPHA;
        double spent = 0;
        while (!session.isStopped()) {
            long start = session.clock().nanos();
            watch.begins(starts.size() + 1);
            try {
                measure().ifPresent(starts::add);
            } catch (UserError midway) {
                if (starts.isEmpty()) {
                    throw midway;
                }
                notes.add(new Note.Failed(midway));
                return compared(alpha, true, Optional.empty());
            }
            if (session.isStopped() || starts.isEmpty()) {
                break;
            }
            times.ended(starts.size(), start);
            double each = times.each();
            int max = times.most(starts.size());
            boolean last = starts.size() >= max;
            // the expected number of judgements changes; error probability once spent stays spent
            double by = new Looks(Judging.ALPHA, max).spent(starts.size());
            alpha = Math.max(MIN_ALPHA, by - spent);
            if (starts.size() < settings.minStarts() && judging.restarted()) {
                boolean tooShort = times.isTooShort(starts.size());
                Compared soFar = compared(alpha, tooShort, Optional.of(each));
                watch.look(soFar, each, max);
                if (tooShort) {
                    return soFar;
                }
                continue;
            }
            spent = Math.max(spent, by);
            Compared soFar = compared(alpha, false, Optional.of(each));
            watch.look(soFar, each, max);
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

    /// Measures one start of both variants, with its pairs as the units of evidence. The interval
    /// does not include the variation between starts, so the result only shows which candidate
    /// deserves a comparison.
    ///
    /// @param pairs number of pairs of blocks at each load
    /// @throws UserError if a variant does not start or gives no good answer
    public Compared screen(int pairs) throws InterruptedException {
        times.begin();
        wantedPairs = OptionalInt.of(pairs);
        measure().ifPresent(starts::add);
        return compared(
                new Judging(settings.primary(), settings.minEffect(), false),
                Judging.ALPHA,
                session.isStopped(),
                Optional.empty());
    }

    /// True if B was the last variant in use. If the comparison ended with an error, B failed.
    public boolean wasAtB() {
        return at == Arm.B;
    }

    /// True if B was opened in at least one start, which includes a good answer.
    public boolean hasAnsweredB() {
        return bAnswered;
    }

    /// Returns the failed requests in the blocks of B, by kind of error.
    public Map<String, Long> failuresOfB() {
        Map<String, Long> all = new TreeMap<>();
        starts.stream()
                .flatMap(s -> s.pairs().stream())
                .forEach(p ->
                        p.b().errorKinds().forEach((kind, n) -> all.merge(kind, n, Long::sum)));
        return all;
    }

    /// Returns the variants that were not steady after the warm-up of at least one start.
    public Set<Arm> unsteady() {
        return Set.copyOf(unsteady);
    }

    /// Returns the variants whose heap fills up during the blocks of a start.
    public Set<Arm> filling() {
        return Set.copyOf(filling);
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
                goalMs(),
                times.elapsed(),
                decide.filter(s -> s > 0),
                judging.restarted(),
                settings.minEffect(),
                Optional.ofNullable(facts.get(Arm.A)),
                Optional.ofNullable(facts.get(Arm.B)),
                Optional.empty(),
                notes,
                partial);
    }

    /// Mean of the goal's percentile over the blocks of B at the fixed rate.
    private Optional<Double> goalMs() {
        Optional<Percentile> percentile = settings.goal().flatMap(Percentile::of);
        OptionalDouble mean =
                starts.stream()
                        .flatMap(s -> s.pairs().stream())
                        .filter(p -> p.load() == Metric.Load.FIXED_RATE)
                        .flatMap(p -> percentile.flatMap(q -> q.ms(p.b())).stream())
                        .mapToDouble(Double::doubleValue)
                        .average();
        return mean.isPresent() ? Optional.of(mean.getAsDouble()) : Optional.empty();
    }

    /// Measures one start; empty if it was stopped before a pair was measured.
    private Optional<Start> measure() throws InterruptedException {
        numbers.align();
        return a.runsBeside(b) ? together() : inTurn();
    }

    private Optional<Start> together() throws InterruptedException {
        long start = session.clock().nanos();
        try (Side first = open(Arm.A);
                Side second = SharedFiles.beside(() -> open(Arm.B))) {
            Map<Arm, Side> sides = new EnumMap<>(Map.of(Arm.A, first, Arm.B, second));
            for (Arm arm : Arm.values()) {
                know(arm, required(sides, arm));
            }
            for (Arm arm : Arm.values()) {
                warmUp(arm, required(sides, arm));
            }
            chooseLoads(sides);
            int pairs =
                    wantedPairs.orElseGet(() -> times.pairs(session.clock().secondsSince(start)));
            var blocks = new Blocks();
            for (int i = 0; i < pairs && !session.isStopped(); i++) {
                Arm early = early();
                numbers.align();
                for (Metric.Load load : settings.loads()) {
                    blocks.add(load, inTurns(load, List.of(early, early.other()), sides, blocks));
                }
            }
            return ended(blocks);
        }
    }

    /// Measures a block of each variant at one load. Disturbed and stopped blocks are left out.
    private Map<Arm, Round> inTurns(
            Metric.Load load, List<Arm> order, Map<Arm, Side> sides, Blocks blocks)
            throws InterruptedException {
        if (load == Metric.Load.UNDER_GOAL) {
            return underGoal(order, sides, blocks);
        }
        Map<Arm, Round> rounds = new EnumMap<>(Arm.class);
        for (Arm arm : order) {
            block(load, arm, required(sides, arm), ratePerS, blocks)
                    .ifPresent(r -> rounds.put(arm, r));
        }
        return rounds;
    }

    /// Runs both rate searches in turns, so that disturbances of the machine affect both.
    private Map<Arm, Round> underGoal(List<Arm> order, Map<Arm, Side> sides, Blocks blocks)
            throws InterruptedException {
        Goal goal = settings.goal().orElseThrow();
        Percentile percentile = Percentile.of(goal).orElseThrow();
        Map<Arm, RateSearch> searches = new EnumMap<>(Arm.class);
        Map<Arm, Round> rounds = new EnumMap<>(Arm.class);
        for (Arm arm : order) {
            searches.put(
                    arm,
                    new RateSearch(
                            capacities.getOrDefault(arm, 1.0), goal.limitMs().orElseThrow()));
        }
        for (int i = 0; i < RateSearch.BLOCKS; i++) {
            for (Arm arm : order) {
                RateSearch search = required(searches, arm);
                Optional<Round> round =
                        block(
                                Metric.Load.UNDER_GOAL,
                                arm,
                                required(sides, arm),
                                search.next(),
                                blocks);
                if (round.isEmpty()) {
                    return Map.of();
                }
                search.measured(
                        round.get().errorShare() > goal.allowedShare()
                                ? Double.POSITIVE_INFINITY
                                : percentile.ms(round.get()).orElse(Double.POSITIVE_INFINITY));
                rounds.put(arm, round.get());
            }
        }
        Map<Arm, Round> found = new EnumMap<>(Arm.class);
        for (Arm arm : order) {
            OptionalDouble rate = required(searches, arm).rate();
            if (rate.isEmpty()) {
                throw UserError.target(
                        "no rate of " + arm + " keeps " + goal.name(),
                        "the goal was missed at each of "
                                + RateSearch.BLOCKS
                                + " rates, the last of them "
                                + Math.round(required(rounds, arm).ratePerS().orElse(0.0))
                                + "/s, or too few requests came to say",
                        "give a goal that it keeps alone, or longer blocks with --block");
            }
            found.put(arm, required(rounds, arm).atRate(rate.getAsDouble()));
        }
        return found;
    }

    private static <T> T required(Map<Arm, T> of, Arm arm) {
        return Objects.requireNonNull(of.get(arm));
    }

    private Arm early() {
        return random.nextBoolean() ? Arm.A : Arm.B;
    }

    /// Measures the same loads on one variant after the other, because they cannot run at once.
    private Optional<Start> inTurn() throws InterruptedException {
        var blocks = new Blocks();
        Map<Metric.Load, Map<Arm, Round>> rounds = new EnumMap<>(Metric.Load.class);
        settings.loads().forEach(load -> rounds.put(load, new EnumMap<>(Arm.class)));
        Arm early = early();
        for (Arm arm : List.of(early, early.other())) {
            try (Side side = open(arm)) {
                know(arm, side);
                warmUp(arm, side);
                chooseLoads(Map.of(arm, side));
                for (Metric.Load load : settings.loads()) {
                    Objects.requireNonNull(rounds.get(load))
                            .putAll(inTurns(load, List.of(arm), Map.of(arm, side), blocks));
                }
            }
        }
        rounds.forEach(blocks::add);
        return ended(blocks);
    }

    private Variant variant(Arm arm) {
        return arm == Arm.A ? a : b;
    }

    private Side open(Arm arm) throws InterruptedException {
        if (variant(arm).isStarted()) {
            session.listener().phase("starting " + arm);
        }
        at = arm;
        Session own = session.inside("start-" + (starts.size() + 1) + "-" + arm.key());
        Side side = service.open(variant(arm).started(), own);
        bAnswered |= arm == Arm.B;
        return side;
    }

    private void know(Arm arm, Side side) throws InterruptedException {
        at = arm;
        Optional<TargetFacts> seen = side.facts();
        Variant.notes(arm, side).stream().filter(n -> !notes.contains(n)).forEach(notes::add);
        seen.ifPresent(variant(arm)::requireFlags);
        seen.ifPresent(f -> facts.put(arm, f));
        if (seen.isPresent() && side.java().isPresent()) {
            variant(arm).requireKnownFlags(arm, seen.get(), side.java().get(), service);
            Variant.ignoredFlag(arm, seen.get(), side.java().get(), service)
                    .filter(n -> !notes.contains(n))
                    .ifPresent(notes::add);
        }
    }

    private void warmUp(Arm arm, Side side) throws InterruptedException {
        at = arm;
        side.warmUp(settings.warmUpOfStart())
                .filter(_ -> unsteady.add(arm))
                .map(w -> new Note.NotSteady(arm, w.says()))
                .ifPresent(notes::add);
    }

    /// Chooses the loads once, at the first start; both variants get the same loads from then on.
    private void chooseLoads(Map<Arm, Side> sides) throws InterruptedException {
        boolean needsRate = settings.loads().contains(Metric.Load.FIXED_RATE);
        boolean needsCapacity =
                settings.loads().contains(Metric.Load.UNDER_GOAL)
                        && !capacities.keySet().containsAll(sides.keySet());
        if (concurrency > 0 && (ratePerS > 0 || !needsRate) && !needsCapacity) {
            return;
        }
        session.listener().phase("finding loads that both can serve");
        long seeking = session.clock().nanos();
        double knee = Double.POSITIVE_INFINITY;
        double max = Double.POSITIVE_INFINITY;
        for (Map.Entry<Arm, Side> side : sides.entrySet()) {
            Side.Capacity capacity = side.getValue().capacity();
            capacities.put(side.getKey(), capacity.qps());
            knee = Math.min(knee, capacity.knee());
            max = Math.min(max, capacity.qps());
        }
        times.sought(seeking);
        if (session.isStopped()) {
            return;
        }
        if (concurrency == 0) {
            concurrency = Loads.beyond(knee);
        }
        if (ratePerS == 0 && needsRate) {
            ratePerS = Loads.easy(max);
        }
    }

    /// @param rate requests/s in an open model
    private Optional<Round> block(Metric.Load load, Arm arm, Side side, double rate, Blocks blocks)
            throws InterruptedException {
        at = arm;
        int pair = numbers.next(arm, load);
        var block = new Block(load, new Loads(concurrency, rate), settings.block());
        session.listener().measuring("measuring " + arm + " " + block.says());
        Optional<Round> round =
                block.measure(side, session.stop(), spoilt -> blocks.discard(arm, spoilt));
        round.ifPresent(r -> {
            blocks.seen(arm, r);
            session.listener().block(new TrialListener.Block(arm.key(), load.name(), pair), r);
        });
        return round;
    }

    /// Ends a start and notes longer blocks, and variants whose heap fills up.
    private Optional<Start> ended(Blocks blocks) {
        if (starts.isEmpty() && !session.isStopped()) {
            // a tool that limits A is no fault of B
            at = blocks.limitedByTool().orElse(at);
            DrivenStart.require(settings.primary(), notes, blocks);
        }
        blocks.longerThan(settings.block()).filter(n -> !notes.contains(n)).ifPresent(notes::add);
        for (Arm arm : blocks.filling()) {
            if (filling.add(arm)) {
                notes.add(new Note.KeepsMore(arm));
            }
        }
        return blocks.start();
    }
}
