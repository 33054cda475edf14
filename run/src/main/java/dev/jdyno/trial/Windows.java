package dev.jdyno.trial;

import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.DisturbedRounds;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.Slice;
import dev.jdyno.measure.load.LoadPoint;
import dev.jdyno.measure.statistics.Bootstrap;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.LatencyCurve;
import dev.jdyno.observe.ServerWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The windows of one round, one pair a second, with client and server cut at the same instants.
/// The client's windows are summed as they come, because a window holds histograms of some hundred
/// kB.
final class Windows {
    private static final long SEED = 20_260_101;

    private @Nullable LoadWindow client;
    private final List<ServerWindow> server = new ArrayList<>();
    private final List<Slice> slices = new ArrayList<>();
    private final LoadPoint.Part part;

    /// Windows of a round.
    Windows() {
        this(LoadPoint.Part.ROUND);
    }

    Windows(LoadPoint.Part part) {
        this.part = part;
    }

    /// The part of the run to which they belong.
    LoadPoint.Part part() {
        return part;
    }

    void add(LoadWindow seen, Optional<ServerWindow> did) {
        client = client == null ? seen : client.plus(seen);
        did.ifPresent(server::add);
        slices.add(
                new Slice(
                        seen.qps(),
                        seen.latency().mean(),
                        did.flatMap(ServerWindow::cpu).map(c -> c.processCores()),
                        did.flatMap(ServerWindow::cpu).map(DisturbedRounds::takenCores)));
    }

    boolean isEmpty() {
        return client == null;
    }

    List<Slice> slices() {
        return List.copyOf(slices);
    }

    LoadWindow whole() {
        if (client == null) {
            throw new NoSuchElementException("no window was added");
        }
        return client;
    }

    /// @throws NoSuchElementException if no window was added
    Round round(int concurrency) {
        return round(concurrency, Optional.empty());
    }

    /// A round of the open model. Its concurrency is the mean number of requests in flight, by
    /// Little's law.
    Round openRound(double ratePerS) {
        LoadWindow all = whole();
        double inFlight = all.qps() * all.latency().mean() / 1000;
        return round((int) Math.max(1, Math.round(inFlight)), Optional.of(ratePerS));
    }

    /// Bytes that the client read; empty if a driver does not count them.
    private static Optional<Long> bytes(LoadWindow all) {
        return all.reported().isPresent() && all.bytesRead() == 0
                ? Optional.empty()
                : Optional.of(all.bytesRead());
    }

    private Round round(int concurrency, Optional<Double> ratePerS) {
        LoadWindow all = whole();
        Optional<ServerWindow> did =
                server.isEmpty() ? Optional.empty() : Optional.of(ServerWindow.over(server));
        double qps = all.requests() / all.seconds();
        double[] rates = slices.stream().mapToDouble(Slice::qps).toArray();
        Interval drawn = Bootstrap.meanCi95(rates, SEED);
        return new Round(
                concurrency,
                ratePerS,
                all.seconds(),
                qps,
                new Interval(Math.min(drawn.lo(), qps), Math.max(drawn.hi(), qps)),
                all.requests(),
                all.errors(),
                all.errorKinds(),
                all.failures(),
                bytes(all),
                all.latency(),
                all.latencyNanos().getTotalCount() == 0
                        ? Optional.empty()
                        : Optional.of(LatencyCurve.of(all.latencyNanos())),
                all.client(),
                did.flatMap(ServerWindow::cpu),
                did.flatMap(ServerWindow::threads),
                // windows of an agent may be missing: their requests must not count
                did.flatMap(d -> d.gcFor(all.requests() * d.seconds() / all.seconds())),
                Optional.empty(),
                slices(),
                Optional.empty(),
                all.replies().times(all.seconds()));
    }
}
