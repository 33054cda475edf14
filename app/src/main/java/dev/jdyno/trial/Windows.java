package dev.jdyno.trial;

import dev.jdyno.load.LoadWindow;
import dev.jdyno.measure.Bootstrap;
import dev.jdyno.measure.Interval;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.Slice;
import dev.jdyno.observe.ServerWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The windows of one round, client side and server side taken at the same instants, one pair a
/// second.
final class Windows {
    private static final long SEED = 20_260_101;

    private final List<LoadWindow> client = new ArrayList<>();
    private final List<ServerWindow> server = new ArrayList<>();
    private final List<Slice> slices = new ArrayList<>();

    void add(LoadWindow seen, Optional<ServerWindow> did) {
        client.add(seen);
        did.ifPresent(server::add);
        slices.add(
                new Slice(
                        seen.qps(),
                        seen.latency().mean(),
                        did.flatMap(ServerWindow::cpu).map(c -> c.processCores())));
    }

    boolean isEmpty() {
        return client.isEmpty();
    }

    List<Slice> slices() {
        return List.copyOf(slices);
    }

    LoadWindow whole() {
        return client.stream().reduce(LoadWindow::plus).orElseThrow();
    }

    /// @throws java.util.NoSuchElementException when no window was added
    Round round(int concurrency) {
        LoadWindow all = whole();
        Optional<ServerWindow> did =
                server.isEmpty() ? Optional.empty() : Optional.of(ServerWindow.over(server));
        double qps = all.requests() / all.seconds();
        double[] rates = slices.stream().mapToDouble(Slice::qps).toArray();
        Interval drawn = Bootstrap.meanCi95(rates, SEED);
        return new Round(
                concurrency,
                Optional.empty(),
                all.seconds(),
                qps,
                new Interval(Math.min(drawn.lo(), qps), Math.max(drawn.hi(), qps)),
                all.requests(),
                all.errors(),
                all.errorKinds(),
                all.latency(),
                all.client(),
                did.flatMap(ServerWindow::cpu),
                did.flatMap(ServerWindow::threads),
                did.flatMap(d -> d.gcFor(all.requests())),
                Optional.empty(),
                slices());
    }

    Stream<LoadWindow> clientWindows() {
        return client.stream();
    }
}
