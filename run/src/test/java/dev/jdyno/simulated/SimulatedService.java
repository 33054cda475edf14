package dev.jdyno.simulated;

import dev.jdyno.inside.MachineFacts;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RoundFixture;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.load.DriverFacts;
import dev.jdyno.measure.load.LoadFacts;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.observe.logging.LoggingFiles;
import dev.jdyno.plan.Plan;
import dev.jdyno.trial.Service;
import dev.jdyno.trial.Session;
import dev.jdyno.trial.Side;
import dev.jdyno.trial.TrialOutcome;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// Gives the measurements of a {@link Model} in virtual time.
public final class SimulatedService implements Service {
    private static final double START_S = 3;
    private static final double SETTLE_S = 1;
    private static final double CAPACITY_S = 10;
    private static final double ROUND_S = 7;
    private static final double STEP_NS = 2;

    private double warmUpSeconds = 6;
    private Model model;
    private final VirtualClock clock;
    private final SplittableRandom random;
    private int calls;
    private int killedAt = Integer.MAX_VALUE;
    private final AtomicInteger open = new AtomicInteger();
    private double[] recorded = {};
    private double stealing;
    private Optional<DriverFacts> tool = Optional.empty();
    private UnaryOperator<Round> reported = UnaryOperator.identity();
    private List<String> alike = List.of();
    private double alikeFactor = 1;
    private int mostOpen;
    private Predicate<List<String>> clash = _ -> false;
    private int mostAtOnce = Integer.MAX_VALUE;
    private Optional<Bytes> memory = Optional.of(Bytes.mebi(64 << 10));

    public SimulatedService(Model model, VirtualClock clock, long seed) {
        this.model = model;
        this.clock = clock;
        this.random = new SplittableRandom(seed);
    }

    /// Ends the calling process at the n-th call, as kill -9 would.
    public SimulatedService killAt(int call) {
        killedAt = call;
        return this;
    }

    /// The same with this duration until it is warm, within the limits of the plan.
    public SimulatedService warmingUp(double seconds) {
        warmUpSeconds = seconds;
        return this;
    }

    /// The same with recorded variation between starts instead of the model's noise.
    ///
    /// @param deviations log ratios of a start's CPU time to its mean; each start draws one
    public SimulatedService varyingBy(double[] deviations) {
        recorded = deviations.clone();
        return this;
    }

    /// The same on a machine where others take CPU: the share that a start gets varies.
    ///
    /// @param deviation standard deviation of the share between starts
    public SimulatedService stealing(double deviation) {
        stealing = deviation;
        return this;
    }

    /// The same with a load tool of the user.
    ///
    /// @param byTool changes each block to what the tool reports of it
    public SimulatedService loadedBy(DriverFacts program, UnaryOperator<Round> byTool) {
        tool = Optional.of(program);
        reported = byTool;
        return this;
    }

    private double startNoise() {
        if (recorded.length == 0) {
            return noise(model.startNoise());
        }
        double one = recorded[random.nextInt(recorded.length)];
        return Math.exp(random.nextBoolean() ? one : -one);
    }

    private double warmUpSeconds(Plan.Warmup warmup) {
        return Math.min(warmUpSeconds, Durations.seconds(warmup.atMost()));
    }

    /// Replaces the model of the service from now on.
    public void becomes(Model another) {
        model = another;
    }

    /// Simulates a kill: an error that no code catches.
    public static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    /// Number of measurements so far.
    public int calls() {
        return calls;
    }

    /// Number of open sides.
    public int open() {
        return open.get();
    }

    private void called() {
        calls++;
        if (calls == killedAt) {
            throw new Killed();
        }
    }

    @Override
    public TrialOutcome trial(Plan plan, Session session) {
        called();
        List<String> words = words(plan);
        require(words);
        double cpuMs = cpuMs(words) * startNoise();
        double warm = warmUpSeconds(plan.warmup());
        clock.pass(START_S + warm);
        List<Integer> loads = plan.rounds().concurrency();
        if (loads.isEmpty()) {
            int knee = (int) Math.ceil(knee(cpuMs, words));
            loads = List.of(1, Math.max(2, knee / 2), Math.max(3, knee), Math.max(4, 2 * knee));
        }
        List<Round> rounds =
                loads.stream()
                        .takeWhile(_ -> !session.isStopped())
                        .map(n -> round(n, cpuMs, words, 1))
                        .toList();
        clock.pass(rounds.size() * ROUND_S);
        var recording =
                new Recording(
                        MachineFacts.read(),
                        facts(words),
                        Optional.of(warm),
                        rounds,
                        List.of(),
                        List.of(),
                        session.isStopped(),
                        Insight.NONE,
                        tool.map(SimulatedService::load),
                        List.of());
        return new TrialOutcome(
                recording, "all loads", Optional.empty(), Optional.empty(), List.of());
    }

    private static LoadFacts load(DriverFacts tool) {
        return new LoadFacts(
                List.of(),
                List.of(),
                List.of(),
                Optional.empty(),
                Optional.of(tool),
                Optional.empty());
    }

    /// Seconds of a block: whole runs of the load tool.
    private double blockSeconds(double wanted) {
        double run = tool.flatMap(DriverFacts::runSeconds).orElse(0.0);
        return run > 0 ? Math.max(wanted, Math.ceil(wanted / run) * run) : wanted;
    }

    @Override
    public Side open(Plan plan, Session session) {
        called();
        List<String> words = words(plan);
        clock.pass(START_S);
        require(words);
        boolean first = open.incrementAndGet() == 1;
        mostOpen = Math.max(mostOpen, open.get());
        return new SimulatedSide(
                words, session, cpuMs(words) * startNoise(), Math.min(1, noise(stealing)), first);
    }

    @Override
    public Optional<String> refusal(Path java, List<String> flags) {
        return flags.stream().filter(model.refused()::contains).findFirst();
    }

    @Override
    public Optional<Bytes> availableMemory() {
        return memory;
    }

    /// The same on a machine with this much memory left; a variant takes about 1.5 GiB.
    public SimulatedService withMemory(Bytes available) {
        memory = Optional.of(available);
        return this;
    }

    /// The same with a limit of instances: with more of them, the one that was started first fails.
    public SimulatedService atMost(int instances) {
        mostAtOnce = instances;
        return this;
    }

    /// The same with combinations of words with which it replies wrongly.
    public SimulatedService wrongIf(Predicate<List<String>> words) {
        clash = words;
        return this;
    }

    /// The same with words that do the same: any of them reduces the CPU time, and another one
    /// nothing more.
    public SimulatedService cheaperWithAny(List<String> words, double factor) {
        alike = List.copyOf(words);
        alikeFactor = factor;
        return this;
    }

    private double cpuMs(List<String> words) {
        boolean any = words.stream().anyMatch(alike::contains);
        return model.cpuMs(words) * (any ? alikeFactor : 1);
    }

    /// Maximum number of sides that were open at the same time.
    public int mostOpen() {
        return mostOpen;
    }

    @Override
    public double machineStepNs() {
        return STEP_NS * noise(model.blockNoise());
    }

    private static List<String> words(Plan plan) {
        return plan.target() instanceof Plan.TargetPlan.Launch(String command)
                ? List.of(command.split(" "))
                : List.of();
    }

    private void require(List<String> words) {
        boolean ignores = words.contains("-XX:+IgnoreUnrecognizedVMOptions");
        words.stream()
                .filter(w -> !ignores && model.refused().contains(w))
                .findFirst()
                .ifPresent(w -> {
                    throw UserError.target("it does not start", "its JVM refuses " + w, "-");
                });
        words.stream()
                .filter(model.wrong()::contains)
                .findFirst()
                .ifPresent(w -> {
                    throw new UserError(
                            UserError.Kind.ANSWER, "it answers wrongly", "with " + w, "-");
                });
        requireNoClash(words);
    }

    private void requireNoClash(List<String> words) {
        if (clash.test(words)) {
            throw new UserError(
                    UserError.Kind.ANSWER, "it answers wrongly", "two settings clash", "-");
        }
    }

    private TargetFacts facts(List<String> words) {
        return new TargetFacts(
                Optional.of(1L),
                Optional.of("simulated"),
                Optional.of("25"),
                Optional.of("G1"),
                Optional.of(1L << 30),
                Optional.empty(),
                words,
                model.cores(),
                false,
                List.of(),
                List.of(),
                List.of(),
                Optional.empty());
    }

    private double noise(double deviation) {
        return Math.exp(random.nextGaussian() * deviation);
    }

    private double knee(double cpuMs, List<String> words) {
        return most(cpuMs, words) * (cpuMs + model.waitMs()) / 1000;
    }

    private Round round(int concurrency, double cpuMs, List<String> words, double share) {
        double qps = share * qps(concurrency, cpuMs, words) * noise(model.blockNoise());
        return RoundFixture.round(concurrency, qps)
                .qpsError(model.blockNoise())
                .cores(Math.min(model.cores() * 0.98, qps * cpuMs / 1000))
                .client(0)
                .build();
    }

    private double most(double cpuMs, List<String> words) {
        return Math.min(model.cores() / cpuMs * 1000, model.poolQps(words));
    }

    /// Throughput below both asymptotes, with a smooth curve around the knee.
    private double qps(double concurrency, double cpuMs, List<String> words) {
        double free = concurrency / (cpuMs + model.waitMs()) * 1000;
        double most = most(cpuMs, words);
        return Math.pow(Math.pow(free, -6) + Math.pow(most, -6), -1 / 6.0);
    }

    private final class SimulatedSide implements Side {
        private final List<String> words;
        private final Session session;
        private final double cpuMs;
        private final double share;
        private final boolean first;

        SimulatedSide(
                List<String> words, Session session, double cpuMs, double share, boolean first) {
            this.words = words;
            this.session = session;
            this.cpuMs = cpuMs;
            this.share = share;
            this.first = first;
        }

        @Override
        public Optional<TargetFacts> facts() {
            return Optional.of(SimulatedService.this.facts(words));
        }

        @Override
        public Optional<Path> java() {
            return Optional.of(Path.of("java"));
        }

        @Override
        public List<LoggingFiles.Configuration> logging() {
            return List.of();
        }

        @Override
        public Map<String, String> costlyLogPatterns() {
            return Map.of();
        }

        @Override
        public Optional<Warning> warmUp(Plan.Warmup warmup) {
            clock.pass(warmUpSeconds(warmup));
            return Optional.empty();
        }

        @Override
        public Capacity capacity() {
            clock.pass(CAPACITY_S);
            return new Capacity(
                    session.isStopped() ? 0 : qps(1000, cpuMs, words) * noise(model.blockNoise()),
                    cpuMs + model.waitMs());
        }

        @Override
        public Optional<Round> saturated(int concurrency, double seconds) {
            return block(concurrency, seconds);
        }

        @Override
        public Optional<Round> atRate(double ratePerS, int connections, double seconds) {
            double inFlight = Math.max(1, ratePerS * (cpuMs + model.waitMs()) / 1000);
            return block((int) Math.round(inFlight), seconds).map(r -> r.atRate(ratePerS));
        }

        private Optional<Round> block(int concurrency, double seconds) {
            called();
            if (first && open.get() > mostAtOnce) {
                throw UserError.target("the service ended", "too many instances run", "-");
            }
            clock.pass(blockSeconds(seconds) + SETTLE_S);
            return session.isStopped()
                    ? Optional.empty()
                    : Optional.of(reported.apply(round(concurrency, cpuMs, words, share)));
        }

        @Override
        public Optional<DriverFacts> driver() {
            return tool;
        }

        @Override
        public void close() {
            open.decrementAndGet();
        }
    }
}
