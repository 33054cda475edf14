package dev.jdyno.trial.watch;

import dev.jdyno.capacity.headroom.LoadWindow;
import dev.jdyno.capacity.headroom.NaturalLoad;
import dev.jdyno.capacity.headroom.PoolUse;
import dev.jdyno.measure.service.ServiceFigures;
import dev.jdyno.measure.service.ServicePool;
import dev.jdyno.observe.ServerWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Windows of natural load while a service is watched: its CPU from the observer, its requests by
/// jdyno's count or its own, its pools from its own metrics.
final class NaturalWindows {
    /// Minimum length of a window ÷ time that the last reading of the metrics took. Readings of a
    /// large page then take at most 2 % of the time.
    private static final double REST = 50;

    /// One window before it is known whether the service counts its requests.
    ///
    /// @param counted requests by jdyno's count
    /// @param reported requests as the service counted them
    private record Draft(
            double seconds,
            double cores,
            double availableCores,
            Optional<Double> counted,
            Optional<Double> reported,
            List<PoolUse> pools) {
        Optional<LoadWindow> window(boolean byService) {
            return (byService ? reported : counted)
                    .map(n -> new LoadWindow(seconds, n, cores, availableCores, pools));
        }
    }

    private final List<Draft> drafts = new ArrayList<>();
    private final List<ServerWindow> open = new ArrayList<>();

    /// Adds what the observer saw since the last call.
    ///
    /// @param readingS seconds that the last reading of the service's metrics took
    /// @return true if the open window is long enough to be closed
    boolean add(ServerWindow seen, double readingS) {
        open.add(seen);
        double seconds = open.stream().mapToDouble(ServerWindow::seconds).sum();
        return seconds >= Math.max(NaturalLoad.WINDOW_S, REST * readingS);
    }

    /// Closes the open window.
    ///
    /// @param counted requests in it by jdyno's count; empty if they were not counted
    /// @param reported the service's own metrics of this time; empty if it has none
    void close(Optional<Double> counted, Optional<ServiceFigures> reported) {
        ServerWindow did = ServerWindow.over(open);
        open.clear();
        Optional<Double> requests = reported.map(f -> f.perS() * did.seconds());
        List<PoolUse> pools = reported.map(f -> pools(f.pools())).orElse(List.of());
        did.cpu()
                .map(cpu ->
                        new Draft(
                                did.seconds(),
                                cpu.processCores(),
                                cpu.coresForTarget(),
                                counted,
                                requests,
                                pools))
                .ifPresent(drafts::add);
    }

    /// Returns the windows in which requests were counted: by the service if its metrics count
    /// requests, unless there is an access log; else by jdyno.
    List<LoadWindow> windows(boolean byLog) {
        boolean byService =
                !byLog
                        && drafts.stream()
                                .anyMatch(d -> d.reported().filter(n -> n > 0).isPresent());
        return drafts.stream().flatMap(d -> d.window(byService).stream()).toList();
    }

    /// Returns the pools whose size and use are known.
    private static List<PoolUse> pools(List<ServicePool> reported) {
        List<PoolUse> pools = new ArrayList<>();
        for (ServicePool p : reported) {
            if (p.max().filter(m -> m > 0).isPresent() && p.inUse().isPresent()) {
                pools.add(new PoolUse(p.pool(), p.library(), p.inUse().get(), p.max().get()));
            }
        }
        return pools;
    }
}
