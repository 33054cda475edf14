package dev.jdyno.trial.watch;

import dev.jdyno.capacity.headroom.DiskBusy;
import dev.jdyno.capacity.headroom.LoadWindow;
import dev.jdyno.capacity.headroom.NaturalLoad;
import dev.jdyno.capacity.headroom.PoolUse;
import dev.jdyno.measure.service.EndpointNames;
import dev.jdyno.measure.service.ServiceFigures;
import dev.jdyno.measure.service.ServicePool;
import dev.jdyno.measure.thread.DiskUse;
import dev.jdyno.observe.ServerWindow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Windows of natural load while a service is watched. The observer measures its CPU, requests are
/// counted by jdyno or by the service, and the service's metrics show its pools.
///
/// There are two series of windows. Those with jdyno's count take at least {@link
/// NaturalLoad#MIN_WINDOW_S}. Those with the service's count reach from one reading of its metrics
/// to the next one, and are long if a reading takes long.
final class NaturalWindows {
    /// Minimum share of the time that windows with the service's count must cover.
    private static final double MIN_COVERED = 0.5;

    /// Maximum number of names of pools that the windows share. A service has few.
    private static final int MAX_POOL_NAMES = 500;

    /// The observer's measurements since the last window of a series.
    private static final class Open {
        private final List<ServerWindow> parts = new ArrayList<>();
        private final Map<String, DiskTime> disks = new LinkedHashMap<>();

        void add(ServerWindow seen) {
            parts.add(seen);
        }

        void add(DiskUse disk, double seconds) {
            disks.merge(
                    disk.device(),
                    new DiskTime(disk.utilisation() * seconds, seconds),
                    DiskTime::plus);
        }

        double seconds() {
            return parts.stream().mapToDouble(ServerWindow::seconds).sum();
        }

        Closed close() {
            var closed =
                    new Closed(
                            ServerWindow.over(parts),
                            disks.entrySet().stream()
                                    .map(d -> new DiskBusy(d.getKey(), d.getValue().share()))
                                    .toList());
            clear();
            return closed;
        }

        void clear() {
            parts.clear();
            disks.clear();
        }
    }

    private record Closed(ServerWindow seen, List<DiskBusy> disks) {}

    /// @param busyS seconds with work
    /// @param seconds for which this is known
    private record DiskTime(double busyS, double seconds) {
        DiskTime plus(DiskTime next) {
            return new DiskTime(busyS + next.busyS, seconds + next.seconds);
        }

        double share() {
            return seconds > 0 ? Math.min(1, busyS / seconds) : 0;
        }
    }

    /// @param seconds for which the use of the pools is a mean
    private record ReadPools(double seconds, List<PoolUse> pools) {}

    private final List<LoadWindow> counted = new ArrayList<>();
    private final List<LoadWindow> reported = new ArrayList<>();
    private final Open sinceWindow = new Open();
    private final Open sinceReading = new Open();

    /// Pools of the readings in the open window.
    private final List<ReadPools> readPools = new ArrayList<>();

    private final EndpointNames endpointNames = new EndpointNames();
    private final Map<String, String> poolNames = new HashMap<>();
    private final boolean byEndpoint;
    private Map<String, Double> logged = Map.of();
    private double seconds;

    /// True if the service was stopped since the last reading of its metrics.
    private boolean stopped;

    /// @param byEndpoint whether windows keep the requests of each endpoint, which takes memory
    NaturalWindows(boolean byEndpoint) {
        this.byEndpoint = byEndpoint;
    }

    /// Forgets the windows so far and begins those of the next minute. The time since the last
    /// attempt to read the service's metrics stays: the next figures are from all of it.
    ///
    /// @param wereRead false if there were no metrics to read
    void next(boolean wereRead) {
        counted.clear();
        reported.clear();
        sinceWindow.clear();
        readPools.clear();
        logged = Map.of();
        seconds = 0;
        if (!wereRead) {
            sinceReading.clear();
        }
    }

    /// Leaves out the open window with the service's count, because the service was stopped in it.
    void leaveOutReading() {
        stopped = true;
    }

    /// Adds the observer's data since the last call.
    ///
    /// @return true if the open window is long enough to be closed
    boolean add(ServerWindow seen) {
        sinceWindow.add(seen);
        sinceReading.add(seen);
        seconds += seen.seconds();
        return sinceWindow.seconds() >= NaturalLoad.MIN_WINDOW_S;
    }

    /// Adds the use of the disks in the open window, before it is closed.
    void addDisks(List<DiskUse> used) {
        double length = sinceWindow.seconds();
        for (DiskUse disk : used) {
            sinceWindow.add(disk, length);
            sinceReading.add(disk, length);
        }
    }

    /// Sets the requests of each endpoint in the open window, as jdyno counted them in the access
    /// log, before the window is closed.
    void addEndpoints(Map<String, Double> requests) {
        logged = requests;
    }

    /// True if the time since the last attempt to read the service's metrics is long enough for a
    /// window.
    boolean isReadingDue() {
        return sinceReading.seconds() >= NaturalLoad.MIN_WINDOW_S;
    }

    /// Closes the open window with the pools of the readings in it.
    ///
    /// @param requests number of requests in it, as jdyno counted them; empty if not counted
    void close(Optional<Double> requests) {
        List<PoolUse> pools = meanPools();
        readPools.clear();
        Closed did = sinceWindow.close();
        requests.flatMap(n -> window(did, n, pools, logged)).ifPresent(counted::add);
        logged = Map.of();
    }

    /// Returns the pools of the last reading in the open window, with the mean of their use over
    /// all of its readings in which they had the same size.
    private List<PoolUse> meanPools() {
        if (readPools.isEmpty()) {
            return List.of();
        }
        List<PoolUse> means = new ArrayList<>();
        for (PoolUse pool : readPools.getLast().pools()) {
            double seconds = 0;
            double memberSeconds = 0;
            for (ReadPools read : readPools) {
                Optional<PoolUse> use =
                        read.pools().stream()
                                .filter(p -> p.isSame(pool) && p.size() == pool.size())
                                .findFirst();
                if (use.isPresent()) {
                    seconds += read.seconds();
                    memberSeconds += use.get().inUse() * read.seconds();
                }
            }
            means.add(
                    new PoolUse(pool.name(), pool.library(), memberSeconds / seconds, pool.size()));
        }
        return means;
    }

    /// Closes the open window after an attempt to read the service's metrics.
    ///
    /// @param requests number of requests in the window, as jdyno counted them; empty if not
    ///   counted
    /// @param figures as of {@link #read}
    void close(Optional<Double> requests, Optional<ServiceFigures> figures) {
        read(figures);
        close(requests);
    }

    /// Adds an attempt to read the service's metrics. It closes a window with the service's count.
    /// The open window with jdyno's count goes on.
    ///
    /// @param figures the service's own metrics since the last attempt; empty if it has none, or
    ///   one of both attempts failed
    void read(Optional<ServiceFigures> figures) {
        Closed did = sinceReading.close();
        if (stopped) {
            stopped = false;
            return;
        }
        figures.ifPresent(f -> readPools.add(new ReadPools(f.seconds(), pools(f.pools()))));
        figures.filter(ServiceFigures::countsRequests)
                .flatMap(f -> counted(did, f))
                .ifPresent(reported::add);
    }

    private Optional<LoadWindow> counted(Closed did, ServiceFigures figures) {
        double length = did.seen().seconds();
        return window(
                did, figures.perS() * length, pools(figures.pools()), endpoints(figures, length));
    }

    private static Optional<LoadWindow> window(
            Closed did, double requests, List<PoolUse> pools, Map<String, Double> endpoints) {
        return did.seen()
                .cpu()
                .map(cpu ->
                        new LoadWindow(
                                did.seen().seconds(),
                                requests,
                                cpu.processCores(),
                                cpu.coresForTarget(),
                                Optional.of(cpu.usableCores()),
                                pools,
                                did.disks(),
                                endpoints));
    }

    /// Returns the requests of each endpoint, whatever their status. The row of those endpoints
    /// that have none of their own is left out, and so are endpoints above {@link
    /// EndpointNames#MAX}.
    private Map<String, Double> endpoints(ServiceFigures figures, double length) {
        Map<String, Double> requests = new LinkedHashMap<>();
        if (byEndpoint) {
            figures.endpoints().stream()
                    .filter(e -> !e.isOthers())
                    .forEach(e ->
                            endpointNames
                                    .of(e.name())
                                    .ifPresent(n ->
                                            requests.merge(n, e.perS() * length, Double::sum)));
        }
        return requests;
    }

    /// Returns the windows of one count of requests.
    ///
    /// @param byService whether the service counted them in its metrics, else jdyno
    List<LoadWindow> countedBy(boolean byService) {
        return List.copyOf(byService ? reported : counted);
    }

    /// Returns the windows in which requests were counted. The service's count is used if its
    /// metrics count requests and there is no access log, else jdyno's count. jdyno's count is also
    /// used if windows with the service's count cover little of the time.
    List<LoadWindow> windows(boolean byLog) {
        boolean byService = !byLog && !reported.isEmpty();
        boolean covers =
                reported.stream().mapToDouble(LoadWindow::seconds).sum() >= MIN_COVERED * seconds;
        return List.copyOf(byService && (covers || counted.isEmpty()) ? reported : counted);
    }

    /// Returns the pools whose size and use are known.
    private List<PoolUse> pools(List<ServicePool> reported) {
        List<PoolUse> pools = new ArrayList<>();
        for (ServicePool p : reported) {
            if (p.max().filter(m -> m > 0).isPresent() && p.inUse().isPresent()) {
                pools.add(
                        new PoolUse(shared(p.pool()), p.library(), p.inUse().get(), p.max().get()));
            }
        }
        return pools;
    }

    /// The same text for the same name in all windows: each reading has a new one.
    private String shared(String pool) {
        return poolNames.size() < MAX_POOL_NAMES
                ? poolNames.computeIfAbsent(pool, p -> p)
                : poolNames.getOrDefault(pool, pool);
    }
}
