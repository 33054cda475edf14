package dev.jdyno.observe.window;

import dev.jdyno.measure.thread.CallSites;
import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.Place.Activity;
import dev.jdyno.measure.thread.ThreadPlaces;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.observe.stacks.Classified;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.stacks.ThreadActivity;
import dev.jdyno.observe.stacks.ThreadDump;
import dev.jdyno.observe.threads.CoreUse;
import dev.jdyno.observe.threads.SampledThread;
import dev.jdyno.observe.threads.VirtualThreads;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Adds up the thread dumps of one window to a set of thread samples. Pure.
///
/// A thread is *busy* if its stack shows a request being handled, or if it is an executor's worker
/// with a task. It is also busy if it used a core in the window, or is an event loop that waits for
/// something else than its sockets. Any other waiting thread (timers, main threads, consumers of
/// empty queues) is background and counts as idle. To count it as waiting for I/O is the usual
/// mistake.
public final class ThreadSampleTally {
    /// Minimum CPU use, as a share of one core, for a thread outside any pool to count as working.
    private static final double WORKS_FROM_CORES = 0.05;

    /// Minimum mean number of calls to another service in which no thread was found. From it on, a
    /// thread with an unknown peer may wait for that service.
    private static final double UNDER_WAY = 0.5;

    /// Maximum number of hosts and ports that are named in place of an unknown one.
    private static final int FEW_PEERS = 3;

    private final List<List<SampledThread>> dumps = new ArrayList<>();
    private List<String> anyDownstream = List.of();
    private double requestsInside;
    private final Map<List<String>, Set<String>> peers = new HashMap<>();

    public void add(List<SampledThread> dump) {
        dumps.add(List.copyOf(dump));
        for (SampledThread seen : dump) {
            seen.peer()
                    .ifPresent(p ->
                            peers.computeIfAbsent(
                                            seen.thread().thread().frames(), _ -> new HashSet<>())
                                    .add(p));
        }
    }

    /// The peer of a thread. If the thread was not found in its system call, it is the peer that
    /// the same stack always had; if that stack had several, the peer stays unknown.
    private List<String> peer(SampledThread seen) {
        return knownPeer(seen).map(List::of).orElse(anyDownstream);
    }

    /// The place of the thread's activity, with the other side of its call.
    private Place place(SampledThread seen, ThreadActivity doing) {
        return doing.call().<Place>map(c -> c.at(peer(seen))).orElse(doing.place());
    }

    private Optional<String> knownPeer(SampledThread seen) {
        Set<String> same = peers.getOrDefault(seen.thread().thread().frames(), Set.of());
        return seen.peer()
                .or(() ->
                        same.size() == 1 ? Optional.of(same.iterator().next()) : Optional.empty());
    }

    /// Removes peers that contradict the activity of their threads. To be called after all dumps.
    ///
    /// @param calls all calls that the target makes
    void correctPeers(List<Calls> calls) {
        List<List<SampledThread>> corrected = StrayPeers.corrected(List.copyOf(dumps), calls);
        dumps.clear();
        peers.clear();
        corrected.forEach(this::add);
    }

    /// Sets all hosts and ports to which the target is connected, for threads with an unknown peer.
    void downstreams(Set<String> hostsAndPorts) {
        if (hostsAndPorts.size() <= FEW_PEERS) {
            anyDownstream = List.copyOf(hostsAndPorts);
        }
    }

    /// Marks threads that call the target itself as waiting for its own tasks. A thread whose peer
    /// is unknown counts as calling the service itself if every other open call already has a
    /// waiting thread. To be called after all dumps.
    ///
    /// @param itself places at which the target calls itself, at least one
    /// @param calls all calls that the target makes
    void callsItself(Set<String> itself, List<Calls> calls) {
        Map<String, Long> standing =
                dumps.stream()
                        .flatMap(List::stream)
                        .flatMap(s -> s.peer().stream())
                        .collect(Collectors.groupingBy(p -> p, Collectors.counting()));
        boolean othersFree =
                calls.stream()
                        .filter(c -> !itself.contains(c.where()))
                        .anyMatch(c ->
                                c.awaiting()
                                                - standing.getOrDefault(c.where(), 0L)
                                                        / (double) dumps.size()
                                        >= UNDER_WAY);
        List<String> own =
                calls.stream()
                        .filter(c -> itself.contains(c.where()) && c.awaiting() > 0)
                        .map(Calls::where)
                        .toList();
        Optional<String> unseen =
                !othersFree && own.size() == 1 ? Optional.of(own.getFirst()) : Optional.empty();
        dumps.replaceAll(dump -> dump.stream().map(s -> markedOwn(s, itself, unseen)).toList());
    }

    private SampledThread markedOwn(
            SampledThread seen, Set<String> itself, Optional<String> unseen) {
        return seen.thread()
                .doing()
                .filter(d -> d.cause() == Cause.DOWNSTREAM && d.call().isPresent())
                .flatMap(_ -> knownPeer(seen).or(() -> unseen))
                .filter(itself::contains)
                .map(p ->
                        new SampledThread(
                                seen.thread().waitingForItself(p),
                                seen.peer(),
                                seen.serverSide(),
                                seen.weight()))
                .orElse(seen);
    }

    /// Sets the mean number of requests that the kernel counts in the target. It identifies the
    /// threads of an unknown server.
    void requestsInside(double mean) {
        requestsInside = mean;
    }

    int dumps() {
        return dumps.size();
    }

    /// @param place without the address of an object: the collector moves objects between dumps, so
    ///   an address does not identify a lock
    private record Spot(Cause cause, Place place) {}

    private static final class Count {
        private double threads;
        private double runnable;
        private double inJava;
        private final Holders.Tally holders = new Holders.Tally();
        private final SiteCounts sites = new SiteCounts();
        private Place last;

        Count(Place last) {
            this.last = last;
        }
    }

    private static final class PoolCount {
        private double size;
        private double busy;
        private double idleMin = Double.POSITIVE_INFINITY;
        private boolean serving;
        private boolean loop;
        private final Set<Long> tids = new HashSet<>();
        private final Map<Cause, Double> doing = new EnumMap<>(Cause.class);
    }

    /// Returns the pools and where their busy threads are in the code. The result has no open calls
    /// to other services yet: they come from the sockets.
    ///
    /// @param qps the load's throughput; 0 if it is not known
    /// @param scheduled cores used and cores waited for in the window, per thread
    /// @param waitingSockets mean number of connections whose request no thread had read yet
    public ThreadPlaces places(double qps, Map<Long, CoreUse> scheduled, double waitingSockets) {
        Map<Long, CoreUse> cores = withVirtualThreads(scheduled);
        Set<String> bystanders = Bystanders.pools(dumps, qps, cores);
        Predicate<SampledThread> works =
                seen -> !bystanders.contains(seen.thread().pool()) && isBusy(seen, cores);
        Set<String> serve = UnknownServer.pools(dumps, works, requestsInside - waitingSockets);
        Map<Spot, Count> places = new HashMap<>();
        Map<String, PoolCount> pools = new HashMap<>();
        Set<Long> runners = new HashSet<>();
        Set<Long> onFiles = new HashSet<>();
        for (List<SampledThread> dump : dumps) {
            Map<String, double[]> sizes = new HashMap<>();
            var holders = new Holders(dump, this::place);
            for (SampledThread seen : dump) {
                String pool = seen.thread().pool();
                boolean busy =
                        works.test(seen) || (serve.contains(pool) && UnknownServer.waits(seen));
                double[] size = sizes.computeIfAbsent(pool, _ -> new double[2]);
                size[0] += seen.weight();
                size[1] += busy ? seen.weight() : 0;
                PoolCount count = pools.computeIfAbsent(pool, _ -> new PoolCount());
                count.serving |=
                        seen.thread().serving() || seen.serverSide() || serve.contains(pool);
                count.loop |= seen.thread().loop();
                count.tids.add(seen.thread().thread().tid());
                if (busy) {
                    ThreadActivity doing = seen.thread().doing().orElseThrow();
                    count.doing.merge(doing.cause(), seen.weight(), Double::sum);
                    if (doing.runs()) {
                        runners.add(seen.thread().thread().tid());
                    } else if (mayRunInTheKernel(seen, doing)) {
                        onFiles.add(seen.thread().thread().tid());
                    }
                    count(places, seen, doing, holders);
                }
            }
            for (var e : pools.entrySet()) {
                double[] size = sizes.getOrDefault(e.getKey(), new double[2]);
                e.getValue().size += size[0];
                e.getValue().busy += size[1];
                e.getValue().idleMin = Math.min(e.getValue().idleMin, size[0] - size[1]);
            }
        }
        // work moves between the threads of a pool: threads that no dump found running used cores
        // as well
        pools.values().stream()
                .filter(p -> p.tids.stream().anyMatch(runners::contains))
                .toList()
                .forEach(p -> runners.addAll(p.tids));
        double n = Math.max(1, dumps.size());
        return new ThreadPlaces(
                pools.entrySet().stream()
                        .map(e -> pool(e.getKey(), e.getValue(), cores, n))
                        .sorted(Comparator.comparingDouble(ThreadSamples.Pool::busy).reversed())
                        .toList(),
                busy(places, runners, onFiles, cores, n),
                List.of());
    }

    /// The lines at which working threads wait for the results of tasks, in whatever code.
    Optional<CallSites> awaitingTasks() {
        var sites = new SiteCounts();
        dumps.stream()
                .flatMap(List::stream)
                .filter(s -> s.thread().isAtWork())
                .filter(s -> s.thread().doing().orElseThrow().cause() == Cause.FUTURE)
                .forEach(sites::add);
        return sites.sites(Math.max(1, dumps.size()));
    }

    /// The scheduler does not know virtual threads, so the CPU use of their carriers counts as
    /// theirs.
    private Map<Long, CoreUse> withVirtualThreads(Map<Long, CoreUse> cores) {
        Set<Long> carriers =
                dumps.stream()
                        .flatMap(List::stream)
                        .map(s -> s.thread().thread())
                        .filter(VirtualThreads::isCarrier)
                        .map(ThreadDump.JavaThread::tid)
                        .collect(Collectors.toSet());
        if (carriers.isEmpty()) {
            return cores;
        }
        Map<Long, CoreUse> all = new HashMap<>(cores);
        all.put(VirtualThreads.TID, OnCore.sum(carriers, Set.of(), cores));
        return all;
    }

    private static ThreadSamples.Pool pool(
            String name, PoolCount count, Map<Long, CoreUse> cores, double n) {
        Map<Cause, Double> doing = new EnumMap<>(Cause.class);
        count.doing.forEach((cause, threads) -> doing.put(cause, threads / n));
        return new ThreadSamples.Pool(
                name,
                count.size / n,
                count.busy / n,
                (count.size - count.busy) / n,
                (int) Math.round(count.idleMin),
                count.serving,
                count.loop,
                count.tids.stream()
                        .mapToDouble(t -> cores.getOrDefault(t, CoreUse.NONE).onCpu())
                        .sum(),
                doing,
                count.tids.equals(Set.of(VirtualThreads.TID)));
    }

    private static boolean isBusy(SampledThread seen, Map<Long, CoreUse> cores) {
        Classified t = seen.thread();
        if (t.doing().isEmpty() || seen.serverSide()) {
            return false;
        }
        ThreadActivity doing = t.doing().get();
        if (t.serving()) {
            return true;
        }
        if (doing.runs()) {
            CoreUse use = cores.getOrDefault(t.thread().tid(), CoreUse.NONE);
            // a worker in Java code without CPU use is blocked by the JVM, for memory for example
            return use.onCpu() + use.waiting() >= WORKS_FROM_CORES
                    || (t.task() && t.thread().inJava());
        }
        return t.task()
                || doing.cause() == Cause.LOCK
                || doing.cause() == Cause.THREAD_START
                || (t.loop() && UnknownServer.waits(seen));
    }

    /// True if the thread may run in the kernel instead of waiting for a disk. A file's system call
    /// either waits for the disk or keeps a core busy with data of the page cache; the stack is the
    /// same. Only forcing data to the disk always needs the disk, whatever CPU time the kernel
    /// takes for it.
    private static boolean mayRunInTheKernel(SampledThread seen, ThreadActivity doing) {
        ThreadDump.JavaThread thread = seen.thread().thread();
        return doing.cause() == Cause.DISK
                && thread.state() == ThreadDump.State.RUNNABLE
                && !Frames.forcesToDisk(thread.frames());
    }

    private void count(
            Map<Spot, Count> places, SampledThread seen, ThreadActivity doing, Holders holders) {
        Place place = place(seen, doing).withoutId();
        Count count = places.computeIfAbsent(new Spot(doing.cause(), place), _ -> new Count(place));
        count.threads += seen.weight();
        count.runnable += mayRunInTheKernel(seen, doing) ? seen.weight() : 0;
        count.inJava += seen.thread().thread().inJava() ? seen.weight() : 0;
        count.last = place;
        if (doing.cause() == Cause.DOWNSTREAM) {
            count.sites.add(seen);
        }
        if (doing.cause() == Cause.LOCK
                || doing.cause() == Cause.POOL
                || doing.cause() == Cause.LOGGING) {
            holders.of(seen).ifPresent(count.holders::add);
        }
    }

    private static List<ThreadSamples.Busy> busy(
            Map<Spot, Count> places,
            Set<Long> runners,
            Set<Long> onFiles,
            Map<Long, CoreUse> cores,
            double n) {
        List<ThreadSamples.Busy> busy = new ArrayList<>();
        Map<Place, Double> running = new HashMap<>();
        double inFiles = places.values().stream().mapToDouble(c -> c.runnable).sum() / n;
        places.forEach((spot, count) -> {
            if (spot.cause() == Cause.CPU) {
                running.merge(count.last, count.threads / n, Double::sum);
            }
        });
        double found = running.values().stream().mapToDouble(Double::doubleValue).sum();
        double inJava =
                places.entrySet().stream()
                        .filter(e -> e.getKey().cause() == Cause.CPU)
                        .mapToDouble(e -> e.getValue().inJava / n)
                        .sum();
        double inKernel = OnCore.kernelShare(found, inFiles, OnCore.sum(runners, onFiles, cores));
        places.forEach((spot, count) -> {
            if (spot.cause() == Cause.CPU) {
                return;
            }
            double ran = inKernel * count.runnable / n;
            double waited = count.threads / n - ran;
            if (ran > 0) {
                running.merge(count.last, ran, Double::sum);
            }
            if (waited > 0) {
                busy.add(
                        new ThreadSamples.Busy(
                                spot.cause(),
                                count.last,
                                waited,
                                count.holders.mostFrequent(),
                                count.sites.sites(n),
                                count.holders.stack()));
            }
        });
        busy.addAll(
                OnCore.split(
                        running,
                        OnCore.sum(runners, inKernel > 0 ? onFiles : Set.of(), cores),
                        !cores.isEmpty(),
                        new Place.Common(inJava * 2 > found ? Activity.IN_JVM : Activity.NATIVE)));
        busy.sort(Comparator.comparingDouble(ThreadSamples.Busy::threads).reversed());
        return busy;
    }
}
