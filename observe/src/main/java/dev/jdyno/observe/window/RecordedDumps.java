package dev.jdyno.observe.window;

import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.PoolQueue;
import dev.jdyno.measure.thread.SampledThreads;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadPlaces;
import dev.jdyno.measure.thread.ThreadReport;
import dev.jdyno.observe.stacks.Classified;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.stacks.Frames.Kind;
import dev.jdyno.observe.stacks.StackClassifier;
import dev.jdyno.observe.stacks.ThreadActivity;
import dev.jdyno.observe.stacks.ThreadDump;
import dev.jdyno.observe.stacks.ThreadTimes;
import dev.jdyno.observe.threads.ClassMakers;
import dev.jdyno.observe.threads.CoreUse;
import dev.jdyno.observe.threads.LockGraph;
import dev.jdyno.observe.threads.LogCalls;
import dev.jdyno.observe.threads.SampledThread;
import dev.jdyno.observe.threads.VirtualSample;
import dev.jdyno.observe.threads.VirtualThreads;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Thread samples of dumps that were taken elsewhere. They are like those of {@link ThreadSampler},
/// but without the kernel's data: sockets, queues of connections and the run queue are unknown.
/// Pure.
public final class RecordedDumps {
    /// Minimum used share of the available cores at which a thread that is ready, but on no core,
    /// counts as waiting for one.
    private static final double SATURATED = 0.85;

    /// One dump.
    ///
    /// @param times CPU time of its threads; empty if the dump contains none
    /// @param virtual virtual threads of the dump
    /// @param peers host:port that a thread reads from, by the thread's index in the dump
    public record Dump(
            ThreadDump dump, ThreadTimes times, VirtualSample virtual, Map<Integer, String> peers) {
        public Dump {
            peers = Map.copyOf(peers);
        }
    }

    /// CPU of the JVM.
    ///
    /// @param seconds length of the time in which it was measured
    /// @param processCores cores used by the threads of the last dump
    public record Cpu(double seconds, double processCores) {}

    private final StackClassifier classifier;
    private final Frames frames;
    private final List<Dump> dumps;
    private final ThreadCpu cpu;
    private final Set<Long> loops = new HashSet<>();

    /// @param dumps of one JVM, in order of time
    /// @param measured CPU of the threads by another source, for dumps without CPU times
    public RecordedDumps(Frames frames, List<Dump> dumps, Optional<ThreadCpu> measured) {
        this.frames = frames;
        this.classifier = new StackClassifier(frames);
        this.dumps = List.copyOf(dumps);
        ThreadCpu own =
                dumps.size() < 2
                        ? ThreadCpu.NONE
                        : ThreadCpu.between(dumps.getFirst().times(), dumps.getLast().times());
        this.cpu = isUsable(own) ? own : measured.orElse(own);
    }

    /// True if there are CPU times over at least a second.
    private static boolean isUsable(ThreadCpu cpu) {
        return !cpu.cores().isEmpty() && cpu.seconds() >= 1;
    }

    /// Empty if neither the dumps nor another source have CPU times over at least a second.
    public Optional<Cpu> cpu() {
        return isUsable(cpu)
                ? Optional.of(new Cpu(cpu.seconds(), cpu.processCores()))
                : Optional.empty();
    }

    /// @param qps requests per second meanwhile; 0 if unknown
    /// @param availableCores cores that the JVM may use; empty if unknown
    public SampledThreads threads(double qps, Optional<Double> availableCores) {
        var tally = new ThreadSampleTally();
        var logCalls = new LogCalls(frames, Optional.empty());
        var makers = new ClassMakers(frames);
        List<List<SampledThread>> all = new ArrayList<>();
        for (Dump dump : dumps) {
            List<SampledThread> seen = read(dump);
            all.add(seen);
            tally.add(seen);
            logCalls.add(seen);
            makers.add(seen);
        }
        ThreadPlaces places = tally.places(qps, coreUse(all, availableCores), 0);
        Signals signals =
                virtualThreads()
                        .and(deadlocks())
                        .and(logCalls.signals())
                        .and(makers.signals())
                        .and(ofTheJvm());
        var requests = new PoolQueues.Requests(places.requests().busyThreads(), 0);
        return new SampledThreads(
                dumps.size(),
                0,
                places,
                0,
                0,
                signals,
                // requests in front of a thread pool wait in sockets, which a dump does not contain
                ReportedQueues.of(PoolQueues.of(places, requests, Map.of()), List.of()).stream()
                        .filter(q -> q.kind() == PoolQueue.Kind.LENT)
                        .toList(),
                List.of());
    }

    private List<SampledThread> read(Dump dump) {
        List<SampledThread> seen = new ArrayList<>();
        List<ThreadDump.JavaThread> threads = dump.dump().threads();
        for (int i = 0; i < threads.size(); i++) {
            Classified classified = classifier.classify(threads.get(i));
            if (classified.loop()) {
                loops.add(threads.get(i).tid());
            }
            if (loops.contains(threads.get(i).tid())) {
                classified = classified.asLoop();
            }
            if (isOn(classified, Kind.SOCKET_WRITE)) {
                // only the socket's queue shows whether the client reads its answer, and a dump
                // does not contain it
                classified = classified.running();
            }
            Optional<String> peer = Optional.ofNullable(dump.peers().get(i));
            seen.add(
                    new SampledThread(classified, peer, peer.isEmpty() && mayBeClient(classified)));
        }
        for (ThreadDump.JavaThread thread : dump.virtual().threads()) {
            Classified classified = classifier.classify(thread);
            seen.add(
                    new SampledThread(
                            VirtualThreads.waitsForCarrier(thread)
                                    ? classified.waitingForCarrier()
                                    : classified,
                            Optional.empty(),
                            !VirtualThreads.waitsForCarrier(thread) && mayBeClient(classified),
                            dump.virtual().weight()));
        }
        return seen;
    }

    /// True for a thread that reads from a socket outside of any client library and any request.
    /// Its peer may be a client of the service, and the thread may wait for that client's next
    /// request.
    private static boolean mayBeClient(Classified thread) {
        return !thread.serving()
                && isOn(thread, Kind.SOCKET_READ)
                && thread.doing()
                        .flatMap(ThreadActivity::call)
                        .filter(c -> c.client().isEmpty())
                        .isPresent();
    }

    private static boolean isOn(Classified thread, Kind how) {
        return thread.doing().flatMap(ThreadActivity::how).filter(h -> h == how).isPresent();
    }

    /// CPU use of each thread. If all cores are in use, also the share of the time in which it was
    /// ready without a core.
    private Map<Long, CoreUse> coreUse(
            List<List<SampledThread>> all, Optional<Double> availableCores) {
        Map<Long, CoreUse> use = new HashMap<>();
        cpu.cores().forEach((tid, onCpu) -> use.put(tid, new CoreUse(onCpu, 0)));
        boolean full =
                availableCores
                        .filter(a -> a > 0)
                        .flatMap(a -> cpu().filter(c -> c.processCores() >= SATURATED * a))
                        .isPresent();
        if (!full) {
            return use;
        }
        Map<Long, Double> ready = new HashMap<>();
        all.stream()
                .flatMap(List::stream)
                .filter(s -> s.thread().doing().filter(d -> d.cause() == Cause.CPU).isPresent())
                .forEach(s -> ready.merge(s.thread().thread().tid(), 1.0, Double::sum));
        use.replaceAll((tid, c) ->
                new CoreUse(
                        c.onCpu(),
                        Math.max(0, ready.getOrDefault(tid, 0.0) / dumps.size() - c.onCpu())));
        return use;
    }

    private Signals virtualThreads() {
        if (dumps.stream().noneMatch(d -> d.virtual().total() > 0)) {
            return Signals.NONE;
        }
        double n = dumps.size();
        double busy = 0;
        double pinned = 0;
        for (Dump d : dumps) {
            VirtualSample v = d.virtual();
            busy +=
                    v.weight()
                            * v.threads().stream()
                                    .filter(t -> classifier.classify(t).doing().isPresent())
                                    .count();
            pinned += v.weight() * v.threads().stream().filter(VirtualThreads::isPinned).count();
        }
        return new Signals(Map.of(Sign.VIRTUAL_THREADS, busy / n, Sign.PINNED_THREADS, pinned / n));
    }

    /// Deadlocks in the last dump.
    private Signals deadlocks() {
        if (dumps.isEmpty()) {
            return Signals.NONE;
        }
        var locks = new LockGraph(dumps.getLast().dump().threads());
        List<ThreadReport.Deadlock> found = locks.deadlocks();
        if (found.isEmpty()) {
            return Signals.NONE;
        }
        double threads = found.stream().mapToDouble(d -> d.circle().size()).sum();
        return new Signals(
                Map.of(
                        Sign.DEADLOCKED_THREADS,
                        threads,
                        Sign.BEHIND_DEADLOCK,
                        (double) locks.behindDeadlocks()),
                Map.of(
                        Sign.DEADLOCKED_THREADS,
                        found.stream()
                                .flatMap(d -> d.says().stream())
                                .collect(Collectors.joining("; "))));
    }

    /// CPU of the JVM's own threads, and of the busiest Java thread.
    private Signals ofTheJvm() {
        if (cpu().isEmpty()) {
            return Signals.NONE;
        }
        Map<Sign, Double> values = new EnumMap<>(Sign.class);
        values.put(Sign.GC_CORES, 0.0);
        values.put(Sign.JIT_CORES, 0.0);
        Set<Long> java =
                dumps.getLast().dump().threads().stream()
                        .map(ThreadDump.JavaThread::tid)
                        .collect(Collectors.toSet());
        cpu.cores()
                .forEach((tid, used) -> {
                    String name = cpu.names().getOrDefault(tid, "");
                    if (SignalsProbe.isCollector(name)) {
                        values.merge(Sign.GC_CORES, used, Double::sum);
                    } else if (SignalsProbe.isCompiler(name)) {
                        values.merge(Sign.JIT_CORES, used, Double::sum);
                    } else if (java.contains(tid)) {
                        values.merge(Sign.HOTTEST_THREAD_CORES, used, Math::max);
                    }
                });
        return new Signals(values);
    }
}
