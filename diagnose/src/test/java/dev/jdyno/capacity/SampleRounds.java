package dev.jdyno.capacity;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Machine;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.Slice;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.load.ClientSide;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.Latency;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/// Rounds of a service with given demands: the exact closed model plus noise.
final class SampleRounds {
    static final int CORES = 2;
    private static final int SECONDS = 5;

    private final RequestPath path;
    private final double targetMs;
    private final double othersMs;
    private final double noise;
    private final SplittableRandom random;
    private final List<Round> rounds = new ArrayList<>();

    /// @param path its station `cpu` is all CPU of the machine per request
    /// @param targetMs the target's part of that CPU
    SampleRounds(RequestPath path, double targetMs, double noise, long seed) {
        this.path = path;
        this.targetMs = targetMs;
        this.othersMs =
                path.resources().stream()
                                .filter(r -> r.name().equals("cpu"))
                                .mapToDouble(Resource::ms)
                                .sum()
                        - targetMs;
        this.noise = noise;
        this.random = new SplittableRandom(seed);
    }

    SampleRounds at(int... concurrencies) {
        for (int n : concurrencies) {
            round(n, 1);
        }
        return this;
    }

    /// Adds a round with its throughput wrong by a factor.
    SampleRounds spoilt(int concurrency, double factor) {
        round(concurrency, factor);
        return this;
    }

    Recording recording() {
        return recording(rounds);
    }

    static Recording recording(List<Round> rounds) {
        return new Recording(
                new Machine(CORES, 1L << 30, "test", 0),
                new TargetFacts(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        CORES,
                        false,
                        List.of(),
                        List.of()),
                Optional.of(5.0),
                rounds,
                List.of(),
                List.of(),
                false);
    }

    private void round(int n, double factor) {
        double qps = ClosedNetwork.of(path).at(n).qps() * factor;
        List<Slice> slices = new ArrayList<>();
        double sum = 0;
        for (int s = 0; s < SECONDS; s++) {
            double q = qps * (1 + noise * random.nextGaussian());
            sum += q;
            slices.add(new Slice(q, n / q * 1000, Optional.of(q * targetMs / 1000)));
        }
        double mean = sum / SECONDS;
        rounds.add(round(n, mean, SECONDS, slices, cpu(mean)));
    }

    private CpuUse cpu(double qps) {
        double target = qps * targetMs / 1000;
        double others = qps * othersMs / 1000;
        return CpuUse.ofWholeMachine(
                target, 0, others / 2, others / 2, CORES, (target + others) / CORES * 100, 0, 0);
    }

    static Round round(int n, double qps, double seconds, List<Slice> slices, CpuUse cpu) {
        double rt = n / qps * 1000;
        return new Round(
                n,
                Optional.empty(),
                seconds,
                qps,
                Interval.exactly(qps),
                Math.round(qps * seconds),
                0,
                Map.of(),
                Optional.empty(),
                new Latency(rt, rt, rt, rt, rt, rt),
                ClientSide.withRoom(10, 0.1),
                Optional.of(cpu),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                slices);
    }

    /// The same round without a CPU measurement of the target.
    static Round blind(Round r) {
        List<Slice> slices =
                r.slices().stream()
                        .map(s -> new Slice(s.qps(), s.rtMeanMs(), Optional.empty()))
                        .toList();
        return with(r, r.client(), Optional.empty(), slices);
    }

    static Round withSaturatedClient(Round r) {
        var client = new ClientSide(100, 1, 0, 0, 0, true, false, Optional.of("loop"));
        return with(r, client, r.cpu(), r.slices());
    }

    static Round withClientHeldUp(Round r) {
        var client = new ClientSide(100, 1, 0, 0, 3, true, true, Optional.of("hiccups"));
        return with(r, client, r.cpu(), r.slices());
    }

    private static Round with(
            Round r, ClientSide client, Optional<CpuUse> cpu, List<Slice> slices) {
        return new Round(
                r.concurrency(),
                r.ratePerS(),
                r.seconds(),
                r.qps(),
                r.qpsCi95(),
                r.requests(),
                r.errors(),
                r.errorKinds(),
                r.bytesRead(),
                r.rtMs(),
                client,
                cpu,
                r.threads(),
                r.gc(),
                r.anatomy(),
                slices);
    }
}
