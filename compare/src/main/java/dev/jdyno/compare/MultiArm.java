package dev.jdyno.compare;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.trial.Service;
import dev.jdyno.trial.Session;
import dev.jdyno.trial.Side;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/// Compares many variants of one service that run at once and are loaded in turns, at saturation.
/// The first variant is the control. Any two of them can be compared by blocks of the same seconds,
/// as in a multi-arm trial: `k` variants and one control need `k + 1` starts, while separate
/// comparisons need `2 k`.
public final class MultiArm {
    /// Index of the control.
    public static final int CONTROL = 0;

    private final List<Variant> variants;
    private final Settings settings;
    private final Service service;
    private final Session session;
    private final RandomGenerator random;
    private final List<AtOnce> starts = new ArrayList<>();
    private final Map<Integer, UserError> failures = new HashMap<>();
    private final Set<Integer> answered = new HashSet<>();
    private final Set<Integer> unsteady = new HashSet<>();
    private final Set<Integer> filling = new HashSet<>();

    /// The variants that run now.
    private final Map<Integer, Side> sides = new HashMap<>();

    private long began;

    /// One start of all variants.
    ///
    /// @param rotations the blocks of each turn, by variant
    /// @param discarded number of spoilt blocks, by variant
    private record AtOnce(List<Map<Integer, Round>> rotations, Map<Integer, Integer> discarded) {
        Start of(int a, int b) {
            List<Pair> pairs =
                    rotations.stream()
                            .filter(r -> r.containsKey(a) && r.containsKey(b))
                            .map(r -> new Pair(Metric.Load.SATURATED, of(r, a), of(r, b)))
                            .toList();
            return new Start(pairs, discarded.getOrDefault(a, 0) + discarded.getOrDefault(b, 0));
        }

        List<Round> blocks(int variant) {
            return rotations.stream()
                    .flatMap(r -> Optional.ofNullable(r.get(variant)).stream())
                    .toList();
        }

        private static Round of(Map<Integer, Round> rotation, int variant) {
            return Objects.requireNonNull(rotation.get(variant));
        }
    }

    /// @param variants the control first; all of them can run at once
    /// @param settings with a concurrency, and only with blocks at saturation
    public MultiArm(
            List<Variant> variants,
            Settings settings,
            Service service,
            Session session,
            RandomGenerator random) {
        if (settings.concurrency().isEmpty()
                || !settings.loads().equals(Set.of(Metric.Load.SATURATED))) {
            throw new IllegalArgumentException("many variants run at one concurrency only");
        }
        this.variants = List.copyOf(variants);
        this.settings = settings;
        this.service = service;
        this.session = session;
        this.random = random;
        this.began = session.clock().nanos();
    }

    /// True if variants of this plan can run at once, each with its own port.
    public static boolean canRun(Variant variant) {
        return variant.takesPort();
    }

    /// Starts all variants that have not failed, warms them up, and measures them in turns.
    ///
    /// @param rotations number of blocks of each
    /// @throws UserError if the control fails
    public void start(int rotations) throws InterruptedException {
        try {
            for (int i = 0; i < variants.size() && !session.isStopped(); i++) {
                int variant = i;
                if (!failures.containsKey(variant)) {
                    attempt(variant, () -> open(variant)).ifPresent(s -> sides.put(variant, s));
                }
            }
            // in another order at each start: the first one idles longest before its blocks
            for (int variant : shuffled(sides.keySet())) {
                attempt(variant, () -> warmedUp(variant, side(variant)));
            }
            measured(rotations).ifPresent(starts::add);
        } finally {
            closeAll(List.copyOf(sides.values()));
            sides.clear();
        }
    }

    /// Ends a variant that failed, so that it takes no memory or CPU from the others.
    private void ended(int variant) {
        Side side = sides.remove(variant);
        if (side != null) {
            side.close();
        }
    }

    /// Ends all variants at the same time: each may take some seconds.
    private static void closeAll(Collection<Side> sides) {
        List<Future<?>> ends = new ArrayList<>();
        try (ExecutorService ending = Executors.newVirtualThreadPerTaskExecutor()) {
            sides.forEach(side -> ends.add(ending.submit(side::close)));
        }
        for (Future<?> end : ends) {
            if (end.state() == Future.State.FAILED) {
                throw new IllegalStateException("a service was not ended", end.exceptionNow());
            }
        }
    }

    private interface Task<T> {
        T run() throws InterruptedException;
    }

    /// Runs an action on a variant. A variant that fails takes no further part.
    private <T> Optional<T> attempt(int variant, Task<T> task) throws InterruptedException {
        if (failures.containsKey(variant)) {
            return Optional.empty();
        }
        try {
            return Optional.of(task.run());
        } catch (UserError failed) {
            if (variant == CONTROL || session.isStopped()) {
                throw failed;
            }
            failures.put(variant, failed);
            ended(variant);
            return Optional.empty();
        }
    }

    private Side open(int variant) throws InterruptedException {
        Session own = session.inside("start-" + (starts.size() + 1) + "-" + (char) ('a' + variant));
        Side side = service.open(variants.get(variant).started(), own);
        answered.add(variant);
        return side;
    }

    private boolean warmedUp(int variant, Side side) throws InterruptedException {
        requireFlags(variant, side);
        side.warmUp(settings.warmUpOfStart()).ifPresent(_ -> unsteady.add(variant));
        return true;
    }

    /// @throws UserError if its JVM did not get the flags, or does not know one of them
    private void requireFlags(int variant, Side side) throws InterruptedException {
        Optional<TargetFacts> facts = side.facts();
        if (facts.isPresent()) {
            variants.get(variant).requireFlags(facts.get());
            if (side.java().isPresent()) {
                Arm arm = variant == CONTROL ? Arm.A : Arm.B;
                variants.get(variant)
                        .requireKnownFlags(arm, facts.get(), side.java().get(), service);
            }
        }
    }

    private Optional<AtOnce> measured(int rotations) throws InterruptedException {
        var block =
                new Block(
                        Metric.Load.SATURATED,
                        new Loads(settings.concurrency().orElseThrow(), 0),
                        settings.block());
        List<Map<Integer, Round>> all = new ArrayList<>();
        Map<Integer, Integer> discarded = new HashMap<>();
        for (int i = 0; i < rotations && !session.isStopped(); i++) {
            Map<Integer, Round> rotation = new HashMap<>();
            for (int variant : shuffled(sides.keySet())) {
                attempt(
                                variant,
                                () ->
                                        block.measure(
                                                side(variant),
                                                session.stop(),
                                                () -> discarded.merge(variant, 1, Integer::sum)))
                        .flatMap(round -> round)
                        .ifPresent(round -> rotation.put(variant, round));
            }
            all.add(rotation);
        }
        var start = new AtOnce(all, discarded);
        sides.keySet().stream().filter(v -> FillingHeap.of(start.blocks(v))).forEach(filling::add);
        return session.isStopped() ? Optional.empty() : Optional.of(start);
    }

    private List<Integer> shuffled(Set<Integer> ids) {
        List<Integer> order = new ArrayList<>(ids);
        Collections.shuffle(order, random);
        return order;
    }

    private Side side(int variant) {
        return Objects.requireNonNull(sides.get(variant));
    }

    /// Number of finished starts.
    public int starts() {
        return starts.size();
    }

    /// Returns why a variant takes no part any more; empty if it does.
    public Optional<UserError> failure(int variant) {
        return Optional.ofNullable(failures.get(variant));
    }

    /// True if the variant gave a good answer at least once.
    public boolean hasAnswered(int variant) {
        return answered.contains(variant);
    }

    /// True if the variant was not steady after the warm-up of at least one start.
    public boolean isUnsteady(int variant) {
        return unsteady.contains(variant);
    }

    /// True if the variant's heap filled up during the blocks of a start.
    public boolean isFilling(int variant) {
        return filling.contains(variant);
    }

    /// Returns the failed requests in the blocks of a variant, by kind of error.
    public Map<String, Long> failedRequests(int variant) {
        Map<String, Long> all = new TreeMap<>();
        starts.stream()
                .flatMap(s -> s.blocks(variant).stream())
                .forEach(b -> b.errorKinds().forEach((kind, n) -> all.merge(kind, n, Long::sum)));
        return all;
    }

    /// Compares two variants by one start. The interval does not include the variation between
    /// starts, so the result only shows which variant deserves more starts.
    public Compared screened(int a, int b) {
        return compared(
                a, b, new Judging(settings.primary(), settings.minEffect(), false), Judging.ALPHA);
    }

    /// Compares two variants by all starts so far.
    ///
    /// @param known variation between starts, from other comparisons of the service
    /// @param questions number of pairs of variants that are compared. They share the error
    ///   probability (Bonferroni), so that it is that of one comparison
    public Compared compared(int a, int b, StartNoise known, int questions) {
        var judging = new Judging(settings.primary(), settings.minEffect(), true);
        boolean whole = whole().anyMatch(v -> v == a) && whole().anyMatch(v -> v == b);
        Judging knowing =
                whole
                        ? judging.knowingAtOnce(
                                known.plus(noise().without(judging.noise(starts(a, b)))))
                        : judging.knowing(known);
        return compared(a, b, knowing, alpha() / questions);
    }

    /// Error probability that the look at the present number of starts may spend.
    private double alpha() {
        int most = Math.max(starts.size(), settings.maxStarts().orElse(starts.size()));
        var looks = new Looks(Judging.ALPHA, most);
        double before = starts.size() > settings.minStarts() ? looks.spent(starts.size() - 1) : 0;
        return looks.spent(starts.size()) - before;
    }

    /// Returns the variation between starts, from all variants that were measured in each start.
    public StartNoise noise() {
        int[] whole = whole().toArray();
        return StartNoise.ofAtOnce(
                starts.stream()
                        .map(s ->
                                IntStream.of(whole)
                                        .mapToDouble(v -> logMean(s, v).getAsDouble())
                                        .toArray())
                        .toArray(double[][]::new));
    }

    /// The variants that have the primary figure in each start.
    private IntStream whole() {
        return IntStream.range(0, variants.size())
                .filter(v -> starts.stream().allMatch(s -> logMean(s, v).isPresent()));
    }

    private OptionalDouble logMean(AtOnce start, int variant) {
        return start.blocks(variant).stream()
                .flatMap(b -> settings.primary().of(b).stream())
                .mapToDouble(Math::log)
                .average();
    }

    private List<Start> starts(int a, int b) {
        return starts.stream().map(s -> s.of(a, b)).filter(s -> !s.pairs().isEmpty()).toList();
    }

    private Compared compared(int a, int b, Judging judging, double alpha) {
        List<Start> both = starts(a, b);
        List<Compared.Row> rows = judging.rows(both, alpha);
        List<Note> notes = new ArrayList<>();
        failure(b).ifPresent(why -> notes.add(new Note.Failed(why)));
        return new Compared(
                judging.verdict(rows),
                settings.primary(),
                rows,
                both.size(),
                both.stream().mapToInt(s -> s.pairs().size()).sum(),
                both.stream().mapToInt(Start::discarded).sum(),
                settings.concurrency().orElseThrow(),
                0,
                Optional.empty(),
                session.clock().secondsSince(began),
                Optional.empty(),
                judging.restarted(),
                settings.minEffect(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                notes,
                failures.containsKey(b));
    }
}
