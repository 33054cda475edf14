package dev.jdyno.diagnose.evidence;

import static dev.jdyno.measure.RoundFixture.round;

import dev.jdyno.diagnose.Diagnosis;
import dev.jdyno.diagnose.ValidityRules;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Machine;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RoundFixture;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.thread.CallSites;
import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.DiskUse;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Validity;
import dev.jdyno.measure.verdict.Verdict;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.DoubleStream;

/// Evidence for tests: a service on two cores with constant 100 requests/s from 20 in flight on.
/// All else is normal unless a test changes it.
public final class EvidenceFixture {
    public static final int CONCURRENCY = 20;
    public static final double QPS = 100;

    private double qpsDoubled = QPS;
    private double plateauQps = QPS;
    private double censusQps = QPS;
    private double relaxedQps = QPS / 2;
    private UnaryOperator<RoundFixture> shape = r -> r;
    private UnaryOperator<RoundFixture> relaxedShape = r -> r;
    private final List<ThreadSamples.Pool> pools = new ArrayList<>();
    private final List<ThreadSamples.Pool> relaxedPools = new ArrayList<>();
    private final List<ThreadSamples.Busy> busy = new ArrayList<>();
    private final List<ThreadSamples.Busy> relaxed = new ArrayList<>();
    private final Map<Sign, Double> signs = new EnumMap<>(Sign.class);
    private final Map<Sign, String> places = new EnumMap<>(Sign.class);
    private final List<DiskUse> disks = new ArrayList<>();
    private final List<Calls> calls = new ArrayList<>();
    private final List<Calls> relaxedCalls = new ArrayList<>();
    private final Map<Sign, Double> relaxedSigns = new EnumMap<>(Sign.class);
    private double listenQueue;
    private double unread;
    private boolean lookedInto = true;

    public static EvidenceFixture plateau() {
        return new EvidenceFixture();
    }

    /// A service without a limit: each request takes this long at any load.
    public EvidenceFixture delay(double rtMs) {
        relaxedQps = CONCURRENCY / 4 / rtMs * 1000;
        plateauQps = CONCURRENCY / rtMs * 1000;
        qpsDoubled = 2 * plateauQps;
        return this;
    }

    /// A service with this throughput at a quarter of the load.
    public EvidenceFixture gaveMore(double qps) {
        relaxedQps = qps;
        return this;
    }

    /// The diagnostic window has no responses.
    public EvidenceFixture standsStill() {
        censusQps = 0;
        return this;
    }

    /// A service with this throughput in the diagnostic window.
    public EvidenceFixture gaveAfterwards(double qps) {
        censusQps = qps;
        return this;
    }

    /// A service that stops for seconds and then answers all requests at once, only in the last
    /// round.
    public EvidenceFixture answersInBursts(double qps) {
        relaxedQps = 0;
        plateauQps = 0;
        qpsDoubled = qps;
        return this;
    }

    /// Changes the round at a quarter of the load.
    public EvidenceFixture relaxedRound(UnaryOperator<RoundFixture> change) {
        relaxedShape = change;
        return this;
    }

    /// A service that never responds.
    public EvidenceFixture silent() {
        relaxedQps = 0;
        plateauQps = 0;
        qpsDoubled = 0;
        return this;
    }

    /// Changes the two rounds at saturation.
    public EvidenceFixture rounds(UnaryOperator<RoundFixture> change) {
        shape = change;
        return this;
    }

    public EvidenceFixture gc(double pauseShare, GcActivity.Why why) {
        return rounds(r -> r.gc(gcActivity(pauseShare, why)));
    }

    public static GcActivity gcActivity(double pauseShare, GcActivity.Why why) {
        return new GcActivity(
                new GcActivity.Count(60, pauseShare * 6000),
                GcActivity.Count.NONE,
                pauseShare,
                Optional.of(1e8),
                Optional.of(0.0),
                Optional.of(1e6),
                Optional.of(5e7),
                Optional.of(1e8),
                Optional.empty(),
                why);
    }

    public static GcActivity.Why causes(Map<String, Long> causes) {
        return new GcActivity.Why(causes, 3, Optional.empty(), Optional.empty());
    }

    public static GcActivity.Why stalled(double threads) {
        return new GcActivity.Why(Map.of(), 0, Optional.empty(), Optional.of(threads));
    }

    /// A pool in the window at a quarter of the load.
    public EvidenceFixture relaxedPool(ThreadSamples.Pool pool) {
        relaxedPools.add(pool);
        return this;
    }

    public EvidenceFixture pool(ThreadSamples.Pool pool) {
        pools.add(pool);
        return this;
    }

    public EvidenceFixture busy(Cause cause, String where, double threads) {
        busy.add(new ThreadSamples.Busy(cause, PlaceText.place(cause, where), threads));
        return this;
    }

    /// Calls to one service from several lines of one method, with this number of threads at each
    /// line. The first line is 12.
    public EvidenceFixture callsAt(String where, double... threads) {
        double all = DoubleStream.of(threads).sum();
        var lines = new ArrayList<CallSites.Line>();
        for (double at : threads) {
            lines.add(new CallSites.Line(12 + lines.size(), at / all));
        }
        busy.add(
                new ThreadSamples.Busy(
                        Cause.DOWNSTREAM,
                        PlaceText.place(Cause.DOWNSTREAM, where),
                        all,
                        Optional.empty(),
                        Optional.of(
                                new CallSites(
                                        "com.acme.Page.get", Optional.of("Page.java"), lines, all)),
                        List.of()));
        return this;
    }

    public EvidenceFixture held(Cause cause, String where, double threads, String holder) {
        busy.add(
                new ThreadSamples.Busy(
                        cause, PlaceText.place(cause, where), threads, PlaceText.holder(holder)));
        return this;
    }

    /// Busy threads at a quarter of the load, in a separate diagnostic window.
    public EvidenceFixture relaxed(Cause cause, String where, double threads) {
        relaxed.add(new ThreadSamples.Busy(cause, PlaceText.place(cause, where), threads));
        return this;
    }

    public EvidenceFixture sign(Sign sign, double value) {
        signs.put(sign, value);
        return this;
    }

    public EvidenceFixture disk(DiskUse disk) {
        disks.add(disk);
        return this;
    }

    public EvidenceFixture sign(Sign sign, double value, String place) {
        places.put(sign, place);
        return sign(sign, value);
    }

    /// Open connections to another service, and the number of them that await an answer.
    public EvidenceFixture calls(String where, int connections, double awaiting) {
        calls.add(new Calls(PlaceText.peer(where), connections, awaiting, connections));
        return this;
    }

    /// Adds the given calls.
    public EvidenceFixture calls(Calls any) {
        calls.add(any);
        return this;
    }

    /// Open connections and awaited answers at a quarter of the load.
    public EvidenceFixture relaxedCalls(String where, int connections, double awaiting) {
        relaxedCalls.add(new Calls(PlaceText.peer(where), connections, awaiting, connections));
        return this;
    }

    /// A signal in the window at a quarter of the load.
    public EvidenceFixture relaxedSign(Sign sign, double value) {
        relaxedSigns.put(sign, value);
        return this;
    }

    public EvidenceFixture listenQueue(double connections) {
        listenQueue = connections;
        return this;
    }

    /// Connections with a request that no thread has read yet.
    public EvidenceFixture unread(double connections) {
        unread = connections;
        return this;
    }

    public EvidenceFixture notLookedInto() {
        lookedInto = false;
        return this;
    }

    /// The same recording for another target.
    public Recording recording(TargetFacts target, Insight insight) {
        return recording().withTarget(target).withInsight(insight);
    }

    /// Evidence of a single round, without a diagnostic window.
    public static Evidence alone(Round round) {
        return new Evidence(
                List.of(round),
                round,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    public Evidence build() {
        return Evidence.of(recording(), Optional.empty());
    }

    /// The verdict of the whole diagnosis.
    public Verdict verdict() {
        return Diagnosis.of(build());
    }

    /// The validity of the result.
    public Validity validity() {
        return ValidityRules.of(recording());
    }

    public Recording recording() {
        List<Round> rounds =
                List.of(
                        relaxedShape.apply(round(CONCURRENCY / 4, relaxedQps)).build(),
                        shape.apply(round(CONCURRENCY, plateauQps)).build(),
                        shape.apply(round(2 * CONCURRENCY, qpsDoubled)).build());
        boolean rises = qpsDoubled > plateauQps * 1.1;
        ThreadSamples threadSamples =
                new ThreadSamples(
                        rises ? 2 * CONCURRENCY : CONCURRENCY,
                        rises ? qpsDoubled : censusQps,
                        10,
                        1,
                        pools,
                        busy,
                        unread,
                        listenQueue,
                        calls,
                        new Signals(signs, places, disks));
        return new Recording(
                new Machine(2, 8L << 30, "test", 0),
                new TargetFacts(
                        Optional.of(1L),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        2,
                        true,
                        List.of("proc"),
                        List.of()),
                Optional.of(8.0),
                rounds,
                lookedInto ? windows(threadSamples) : List.of(),
                List.of(),
                false);
    }

    private List<ThreadSamples> windows(ThreadSamples saturated) {
        return relaxed.isEmpty()
                        && relaxedPools.isEmpty()
                        && relaxedCalls.isEmpty()
                        && relaxedSigns.isEmpty()
                ? List.of(saturated)
                : List.of(
                        new ThreadSamples(
                                CONCURRENCY / 4,
                                relaxedQps,
                                10,
                                1,
                                relaxedPools,
                                relaxed,
                                0,
                                0,
                                relaxedCalls,
                                new Signals(relaxedSigns)),
                        saturated);
    }

    /// Full collections in series, each of which leaves this share of the old generation.
    public static GcActivity full(double share) {
        return new GcActivity(
                new GcActivity.Count(1, 20),
                new GcActivity.Count(15, 3000),
                0.5,
                Optional.of(1e9),
                Optional.of(1e6),
                Optional.of(8e4),
                Optional.of(share * 8e8),
                Optional.of(8e8));
    }
}
