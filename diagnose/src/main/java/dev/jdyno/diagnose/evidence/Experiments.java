package dev.jdyno.diagnose.evidence;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.measure.Challenge;
import dev.jdyno.measure.Challenge.Figure;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Intervention;
import dev.jdyno.measure.Intervention.FewerCores;
import dev.jdyno.measure.Intervention.InFlight;
import dev.jdyno.measure.Intervention.LargerPool;
import dev.jdyno.measure.Intervention.SlowerDownstream;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.ThreadSamples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Collects the experiments that distinguish a verdict from its rivals, the most conclusive first.
/// Each has the result that it must show if the verdict is right.
public final class Experiments {
    /// Expected throughput ratio at twice the load. Saturated services gave 0.91–1.09, unsaturated
    /// ones 1.96–2.02.
    static final Interval FLAT = new Interval(0.6, 1.3);

    static final Interval DOUBLES = new Interval(1.5, 2.3);

    /// Minimum throughput ratio with a pool of twice the size. It is lower only if another resource
    /// limits at nearly the same throughput.
    static final double POOL_GAIN = 1.25;

    /// Maximum predicted throughput ratio with fewer cores. A higher ratio cannot be distinguished
    /// from no change.
    static final double MAX_RATIO_FEWER_CORES = 0.85;

    /// Maximum use of the remaining cores at which they are sufficient for the service.
    static final double ENOUGH_CORES = 0.5;

    /// Minimum growth of the response time, as a share of the growth that the added delay should
    /// cause.
    static final double DELAY_SEEN = 0.5;

    /// Maximum number of sequential calls per request for which the delay can still be recognised.
    static final int MAX_CALLS = 50;

    /// Minimum delay. Shorter ones are lost in the noise of a shared machine, longer ones make
    /// requests time out.
    private static final double MIN_DELAY_MS = 20;

    private static final double MAX_DELAY_MS = 500;

    private final Evidence evidence;
    private final int cores;
    private final int load;
    private final List<Challenge> wanted = new ArrayList<>();
    private final List<String> none = new ArrayList<>();

    public Experiments(Evidence evidence, double cores) {
        this.evidence = evidence;
        this.cores = (int) cores;
        this.load =
                evidence.saturated()
                        .map(ThreadSamples::concurrency)
                        .orElse(evidence.plateau().concurrency());
    }

    public void not(String reason) {
        none.add(reason);
    }

    private void add(
            Intervention change,
            int concurrency,
            Figure figure,
            double predicted,
            Interval agrees,
            String why) {
        wanted.add(new Challenge(change, concurrency, figure, predicted, agrees, why));
    }

    /// Adds an experiment with fewer cores. A service that lacks CPU loses throughput in proportion
    /// to its cores (F2).
    public void lessCpu() {
        Optional<Double> used = usedCores();
        if (cores < 2 || used.isEmpty()) {
            not(cores < 2 ? "it has one core only" : "its CPU use was not measured");
            return;
        }
        int fewer = cores / 2;
        double predicted = Math.min(1, fewer / used.get());
        if (predicted > MAX_RATIO_FEWER_CORES) {
            not(say("it used %.2f cores: %d would be nearly as many", used.get(), fewer));
            return;
        }
        add(
                new FewerCores(fewer),
                load,
                Figure.QPS,
                predicted,
                new Interval(0.75 * predicted, (1 + predicted) / 2),
                say(
                        "it used %.2f cores: with %d, throughput falls in proportion if CPU is the limit (F2)",
                        used.get(), fewer));
    }

    /// Adds the counter-test with fewer cores. A service that does not lack CPU loses no throughput
    /// if a core that it does not use is removed.
    public void enoughCores() {
        int fewer = cores / 2;
        Optional<Double> used = usedCores();
        if (fewer < 1 || used.filter(u -> u <= ENOUGH_CORES * fewer).isEmpty()) {
            return;
        }
        add(
                new FewerCores(fewer),
                load,
                Figure.QPS,
                1,
                new Interval(MAX_RATIO_FEWER_CORES, 1.2),
                say(
                        "it used %.2f cores: %d would do; throughput stays unless CPU is the limit",
                        used.get(), fewer));
    }

    private Optional<Double> usedCores() {
        return evidence.doubled()
                .flatMap(Round::cpu)
                .or(evidence::cpu)
                .map(CpuUse::processCores)
                .filter(u -> u > 0);
    }

    public void flatAtTwice() {
        add(
                new InFlight(2 * load),
                load,
                Figure.QPS,
                1,
                FLAT,
                "a saturated resource gives no more at twice the load; a pure wait gives twice as much");
    }

    public void twiceTheLoad() {
        int max = evidence.rounds().getLast().concurrency();
        add(
                new InFlight(2 * max),
                max,
                Figure.QPS,
                2,
                DOUBLES,
                "nothing is saturated: twice the load gives twice the throughput");
    }

    public void largerPool(LargerPool.Kind kind) {
        double busy = kind == LargerPool.Kind.THREADS ? servingThreads() : holders();
        double loadPerBusyThread = busy <= 0 ? 2 : load / busy;
        if (loadPerBusyThread < POOL_GAIN) {
            not(say("the load of %d in flight could not fill a larger pool", load));
            return;
        }
        double predicted = Math.min(2, loadPerBusyThread);
        add(
                new LargerPool(kind, 2),
                load,
                Figure.QPS,
                predicted,
                new Interval(POOL_GAIN, 2.3),
                "twice the pool gives more throughput, up to twice, if the pool is the limit and nothing"
                        + " behind it is");
    }

    private double servingThreads() {
        return evidence.saturated().stream()
                .flatMap(c -> c.pools().stream())
                .filter(ThreadSamples.Pool::serving)
                .mapToDouble(ThreadSamples.Pool::busy)
                .max()
                .orElse(0);
    }

    /// Returns the number of requests that hold a connection: threads in use that do not wait for
    /// one.
    private double holders() {
        return evidence.saturated().map(c -> c.busyThreads() - c.threads(Cause.POOL)).orElse(0.0);
    }

    /// Adds an experiment with a slower downstream. At a low load, where no request queues, a
    /// request becomes slower by the delay of its calls.
    public void slowerDownstream() {
        Round low =
                evidence.rounds().stream()
                        .min(Comparator.comparingInt(Round::concurrency))
                        .orElseThrow();
        double rt = Math.max(0.1, low.rtMs().mean());
        double delay = Math.clamp(rt, MIN_DELAY_MS, MAX_DELAY_MS);
        add(
                new SlowerDownstream(Duration.ofNanos(Math.round(delay * 1e6))),
                low.concurrency(),
                Figure.RT,
                1 + delay / rt,
                new Interval(1 + DELAY_SEEN * delay / rt, 1 + MAX_CALLS * delay / rt),
                "every request passes the downstream: with a delay in front of it each takes as much longer"
                        + " as it makes calls");
    }

    /// Adds an experiment with fewer requests in flight. The volume of surviving objects grows with
    /// the number of concurrent requests (F6).
    public void fewerInFlight() {
        if (load < 4) {
            not("the load is too low to be divided by four");
            return;
        }
        add(
                new InFlight(load / 4),
                load,
                Figure.PAUSE_SHARE,
                0.25,
                new Interval(0, 0.6),
                "with a quarter of the requests alive at once less is promoted, and the collector stops it"
                        + " less (F6)");
    }

    public List<Challenge> wanted() {
        return List.copyOf(wanted);
    }

    /// Returns the reasons why some or all experiments are not possible; empty if all are possible.
    public List<String> none() {
        return List.copyOf(none);
    }
}
