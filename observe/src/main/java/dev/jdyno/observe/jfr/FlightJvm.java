package dev.jdyno.observe.jfr;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.gc.Collector;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.gc.GcCauses;
import dev.jdyno.measure.gc.RequestedCollections;
import dev.jdyno.measure.thread.Profile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import org.jspecify.annotations.Nullable;

/// Data on a JVM and its host from a flight recording with any settings. It is for recordings that
/// were made elsewhere, without other measurements.
///
/// | event | gives |
/// | --- | --- |
/// | `jdk.CPULoad` | CPU of the JVM and of the machine |
/// | `jdk.CPUInformation`, `jdk.ContainerConfiguration` | cores of the machine, quota |
/// | `jdk.ContainerCPUThrottling` (JDK 17+) | how often and how long the quota stopped it |
/// | `jdk.GarbageCollection`, `jdk.GCConfiguration`, `jdk.GCHeapConfiguration` | collections, collector, heap |
/// | `jdk.JavaThreadStatistics` | threads |
/// | `jdk.ClassLoadingStatistics` | loaded classes |
/// | `jdk.ThreadDump` | whole thread dumps, as `jcmd PID Thread.print` writes them |
/// | `jdk.SocketRead` | peers from which code reads: host and port by stack |
/// | `jdk.JVMInformation`, `jdk.PhysicalMemory` | JVM, flags, memory |
public final class FlightJvm {
    private static final int MAX_DUMPS = 1000;

    /// Maximum number of characters of all thread dumps together that are kept.
    private static final long MAX_LETTERS = 256L << 20;

    /// JFR's names of full collections.
    private static final Set<String> FULL = Set.of("SerialOld", "ParallelOld", "G1Full");

    /// Collectors by the beginning of their names in JFR.
    private static final Map<String, Collector> COLLECTORS =
            Map.of(
                    "G1",
                    Collector.G1,
                    "Parallel",
                    Collector.PARALLEL,
                    "Serial",
                    Collector.SERIAL,
                    "ConcurrentMarkSweep",
                    Collector.CMS,
                    "Z",
                    Collector.ZGC,
                    "Shenandoah",
                    Collector.SHENANDOAH);

    /// Maximum number of different stacks that read from sockets for which the peer is kept.
    private static final int MAX_STACKS = 10_000;

    /// Number of frames below the JDK's own that identify a stack.
    private static final int FRAMES = 20;

    private static final Set<String> CONCURRENT_COLLECTORS = Set.of("G1Old", "ConcurrentMarkSweep");

    /// A thread dump in the recording.
    public record Dump(Instant at, String text) {}

    /// Shares of all cores of the machine, 0…1.
    private record Load(Instant at, double user, double system, double machine) {}

    private record Throttled(Instant at, double slices, double throttled, double nanos) {}

    private record Threads(Instant at, double active) {}

    private record Collected(Instant at, String name, String cause, double pauseMs) {}

    private final List<Load> loads = new ArrayList<>();
    private final List<Throttled> throttling = new ArrayList<>();
    private final List<Threads> threads = new ArrayList<>();
    private final FlightTotal starts = new FlightTotal();
    private final FlightTotal classes = new FlightTotal();
    private final List<Collected> collections = new ArrayList<>();
    private final List<Dump> dumps = new ArrayList<>();
    private final Map<String, Long> events = new HashMap<>();
    private final Map<List<String>, Set<String>> peers = new HashMap<>();
    private long letters;
    private boolean dumpsLeftOut;
    private double hostCores;
    private double quotaCores;
    private @Nullable Instant first;
    private @Nullable Instant last;
    private Optional<String> jvm = Optional.empty();
    private Optional<String> version = Optional.empty();
    private Optional<String> arguments = Optional.empty();
    private Optional<Long> pid = Optional.empty();
    private Optional<Instant> started = Optional.empty();
    private Optional<String> collector = Optional.empty();
    private Optional<Long> heapMax = Optional.empty();
    private Optional<Long> memory = Optional.empty();

    private FlightJvm() {}

    /// @throws IOException when the file is no recording or cannot be read
    public static FlightJvm read(Path recording) throws IOException {
        var found = new FlightJvm();
        RecordedEvents.each(recording, found::add);
        return found;
    }

    private void add(RecordedEvent e) {
        String type = e.getEventType().getName();
        events.merge(type, 1L, Long::sum);
        Instant at = e.getStartTime();
        // settings and initial values have the time of their chunk, so they do not show when the
        // recording began or ended
        if (!type.startsWith("jdk.Initial") && !type.equals("jdk.ActiveSetting")) {
            first = first == null || at.isBefore(first) ? at : first;
            last = last == null || e.getEndTime().isAfter(last) ? e.getEndTime() : last;
        }
        switch (type) {
            case "jdk.CPULoad" ->
                    loads.add(
                            new Load(
                                    at,
                                    number(e, "jvmUser"),
                                    number(e, "jvmSystem"),
                                    number(e, "machineTotal")));
            case "jdk.ContainerCPUThrottling" ->
                    throttling.add(
                            new Throttled(
                                    at,
                                    number(e, "cpuElapsedSlices"),
                                    number(e, "cpuThrottledSlices"),
                                    number(e, "cpuThrottledTime")));
            case "jdk.JavaThreadStatistics" -> {
                threads.add(new Threads(at, number(e, "activeCount")));
                starts.add(e, "accumulatedCount");
            }
            case "jdk.ClassLoadingStatistics" -> classes.add(e, "loadedClassCount");
            case "jdk.GarbageCollection" ->
                    collections.add(
                            new Collected(
                                    at,
                                    text(e, "name").orElse(""),
                                    text(e, "cause").orElse(""),
                                    e.hasField("sumOfPauses")
                                            ? e.getDuration("sumOfPauses").toNanos() / 1e6
                                            : 0));
            case "jdk.SocketRead" -> peer(e);
            case "jdk.ThreadDump" -> text(e, "result").ifPresent(t -> dump(at, t));
            default -> facts(type, e);
        }
    }

    private void facts(String type, RecordedEvent e) {
        switch (type) {
            case "jdk.CPUInformation" -> hostCores = number(e, "hwThreads");
            case "jdk.ContainerConfiguration" -> {
                double period = number(e, "cpuSlicePeriod");
                double quota = number(e, "cpuQuota");
                quotaCores = period > 0 && quota > 0 ? quota / period : 0;
            }
            case "jdk.JVMInformation" -> {
                jvm = text(e, "jvmName");
                version = text(e, "jvmVersion");
                arguments = text(e, "jvmArguments");
                pid = e.hasField("pid") ? Optional.of(e.getLong("pid")) : Optional.empty();
                started = Optional.ofNullable(e.getInstant("jvmStartTime"));
            }
            case "jdk.GCConfiguration" ->
                    collector = text(e, "oldCollector").or(() -> text(e, "youngCollector"));
            case "jdk.GCHeapConfiguration" -> heapMax = bytes(e, "maxSize");
            case "jdk.PhysicalMemory" -> memory = bytes(e, "totalSize");
            default -> {
                // other events contain nothing about the JVM as a whole
            }
        }
    }

    private void dump(Instant at, String text) {
        letters += text.length();
        if (dumps.size() == MAX_DUMPS || letters > MAX_LETTERS) {
            dumpsLeftOut = true;
            return;
        }
        dumps.add(new Dump(at, text));
    }

    private void peer(RecordedEvent e) {
        List<String> caller = caller(FlightStack.frames(e.getStackTrace()));
        if (caller.isEmpty() || (peers.size() == MAX_STACKS && !peers.containsKey(caller))) {
            return;
        }
        String host =
                text(e, "address").filter(a -> !a.isEmpty()).or(() -> text(e, "host")).orElse("");
        peers.computeIfAbsent(caller, _ -> new HashSet<>())
                .add(host + ":" + (long) number(e, "port"));
    }

    /// The frames that called the JDK. They identify the same stack in a thread dump and in the
    /// recording.
    private static List<String> caller(List<String> frames) {
        return frames.stream().dropWhile(Profile::isOfTheJdk).limit(FRAMES).toList();
    }

    /// Host and port of the peer from which this stack reads: the peer of the same code in the
    /// recording. Empty if the code had no peer or several.
    ///
    /// @param frames of a thread dump, top first
    public Optional<String> peer(List<String> frames) {
        Set<String> found = peers.getOrDefault(caller(frames), Set.of());
        return found.size() == 1 ? Optional.of(found.iterator().next()) : Optional.empty();
    }

    static double number(RecordedEvent e, String field) {
        return e.hasField(field) && e.getValue(field) instanceof Number n ? n.doubleValue() : 0;
    }

    private static Optional<String> text(RecordedEvent e, String field) {
        return e.hasField(field) ? Optional.ofNullable(e.getString(field)) : Optional.empty();
    }

    private static Optional<Long> bytes(RecordedEvent e, String field) {
        return Optional.of((long) number(e, field)).filter(b -> b > 0);
    }

    /// Time of the first event; empty in a recording without one.
    public Optional<Instant> first() {
        return Optional.ofNullable(first);
    }

    /// End of the last event; empty in a recording without one.
    public Optional<Instant> last() {
        return Optional.ofNullable(last);
    }

    /// Thread dumps of the recording in order of time.
    public List<Dump> dumps() {
        return dumps.stream().sorted(Comparator.comparing(Dump::at)).toList();
    }

    /// True if there were more thread dumps than are read.
    public boolean dumpsLeftOut() {
        return dumpsLeftOut;
    }

    /// Number of events of one type in the recording.
    public long count(String event) {
        return events.getOrDefault(event, 0L);
    }

    /// Number of all events in the recording.
    public long events() {
        return events.values().stream().mapToLong(Long::longValue).sum();
    }

    public Optional<String> jvm() {
        return jvm;
    }

    /// Version of the JVM, such as `25.0.3+9-LTS`.
    public Optional<String> version() {
        // OpenJDK 64-Bit Server VM (25.0.3+9-LTS) for linux-amd64 JRE (25.0.3+9-LTS), built on …
        return version.map(v -> {
            int open = v.indexOf('(');
            int close = v.indexOf(')', Math.max(0, open));
            return open >= 0 && close > open ? v.substring(open + 1, close) : v;
        });
    }

    /// The JVM's flags, separated at blanks.
    public List<String> flags() {
        return arguments.stream()
                .flatMap(a -> Stream.of(a.split(" ")))
                .filter(a -> a.startsWith("-"))
                .toList();
    }

    public Optional<Long> pid() {
        return pid;
    }

    public Optional<Instant> started() {
        return started;
    }

    /// Name of the collector, as for a running JVM (`G1`, `ZGC`); for an unknown collector its name
    /// in JFR.
    public Optional<String> collector() {
        // G1Old, ParallelOld, SerialOld, ConcurrentMarkSweep, Z, "ZGC Major", Shenandoah
        return collector.map(name ->
                COLLECTORS.entrySet().stream()
                        .filter(c -> name.startsWith(c.getKey()))
                        .map(c -> c.getValue().key())
                        .findFirst()
                        .orElse(name));
    }

    public Optional<Long> heapMaxBytes() {
        return heapMax;
    }

    /// Memory of the machine.
    public Optional<Long> memoryBytes() {
        return memory;
    }

    /// Number of hardware threads of the machine; 0 if the recording does not contain it.
    public double hostCores() {
        return hostCores;
    }

    /// Cores that the JVM may use: the machine's cores, limited by the quota. Empty if the
    /// recording does not contain them. A recording never contains the affinity mask.
    public Optional<Double> availableCores() {
        double quota = quotaCores > 0 ? quotaCores : Double.MAX_VALUE;
        return hostCores > 0 ? Optional.of(Math.min(hostCores, quota)) : Optional.empty();
    }

    /// Mean CPU use between two times; empty if there is no sample in between.
    public Optional<CpuUse> cpu(Instant from, Instant to) {
        List<Load> then = loads.stream().filter(l -> within(l.at(), from, to)).toList();
        Optional<Double> available = availableCores();
        if (then.isEmpty() || available.isEmpty()) {
            return Optional.empty();
        }
        double system = mean(then, Load::system) * hostCores;
        double process = mean(then, Load::user) * hostCores + system;
        double machine = mean(then, Load::machine);
        double others = Math.max(0, machine * hostCores - process);
        double throttled = throttledCores(from, to);
        return Optional.of(
                new CpuUse(
                        process,
                        system,
                        0,
                        others,
                        available.get(),
                        Math.min(available.get(), hostCores - others),
                        machine * 100,
                        0,
                        throttled <= 0 ? 0 : 100 * throttled / (throttled + process),
                        throttledPeriodsPct(from, to),
                        List.of(),
                        List.of()));
    }

    private static double mean(List<Load> of, ToDoubleFunction<Load> figure) {
        return of.stream().mapToDouble(figure).average().orElse(0);
    }

    private double throttledCores(Instant from, Instant to) {
        return change(from, to, Throttled::nanos) / 1e9;
    }

    private double throttledPeriodsPct(Instant from, Instant to) {
        double slices = change(from, to, Throttled::slices);
        return slices <= 0 ? 0 : 100 * change(from, to, Throttled::throttled) / slices;
    }

    /// Growth per second of one of the totals between two times; 0 with fewer than two samples.
    private double change(Instant from, Instant to, ToDoubleFunction<Throttled> of) {
        List<Throttled> then = throttling.stream().filter(t -> within(t.at(), from, to)).toList();
        if (then.size() < 2) {
            return 0;
        }
        double seconds = seconds(then.getFirst().at(), then.getLast().at());
        double more = of.applyAsDouble(then.getLast()) - of.applyAsDouble(then.getFirst());
        return seconds <= 0 ? 0 : Math.max(0, more) / seconds;
    }

    /// Mean number of threads; empty without a sample.
    public OptionalDouble threads(Instant from, Instant to) {
        return threads.stream()
                .filter(t -> within(t.at(), from, to))
                .mapToDouble(Threads::active)
                .average();
    }

    /// Threads started per second; empty with fewer than two samples.
    public Optional<Double> startedPerS(Instant from, Instant to) {
        return starts.perS(from, to);
    }

    /// Classes loaded per second in both halves of the time, without those of a start-up or of a
    /// first request, which are loaded in only one half. Empty with fewer than three samples.
    public Optional<Double> classesLoadedPerS(Instant from, Instant to) {
        return classes.lastingPerS(from, to);
    }

    /// The collections between two times that were requested by code or by a tool.
    public RequestedCollections requested(Instant from, Instant to) {
        List<Collected> then =
                collections.stream()
                        .filter(c -> within(c.at(), from, to) && !isConcurrent(c))
                        .filter(c -> GcCauses.isAsked(c.cause()))
                        .toList();
        Map<String, Long> causes = new HashMap<>();
        then.forEach(c -> causes.merge(c.cause(), 1L, Long::sum));
        return new RequestedCollections(
                count(then.stream().filter(c -> !FULL.contains(c.name()))),
                count(then.stream().filter(c -> FULL.contains(c.name()))),
                causes);
    }

    /// The collections between two times, to be refined by {@link FlightFigures#refine}. Empty if
    /// the recording contains no event of a collector.
    public Optional<GcActivity> collections(Instant from, Instant to) {
        if (collections.isEmpty() && count("jdk.GCConfiguration") == 0) {
            return Optional.empty();
        }
        double seconds = seconds(from, to);
        List<Collected> then = collections.stream().filter(c -> within(c.at(), from, to)).toList();
        Map<String, Long> causes = new HashMap<>();
        then.forEach(c -> causes.merge(c.cause(), 1L, Long::sum));
        return Optional.of(
                new GcActivity(
                        count(
                                then.stream()
                                        .filter(c -> !FULL.contains(c.name()) && !isConcurrent(c))),
                        count(then.stream().filter(c -> FULL.contains(c.name()))),
                        seconds <= 0
                                ? 0
                                : then.stream().mapToDouble(Collected::pauseMs).sum()
                                        / 1000
                                        / seconds,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        new GcActivity.Why(
                                causes,
                                then.stream().filter(FlightJvm::isConcurrent).count(),
                                Optional.empty(),
                                Optional.empty())));
    }

    private static boolean isConcurrent(Collected c) {
        return CONCURRENT_COLLECTORS.contains(c.name());
    }

    private static GcActivity.Count count(Stream<Collected> of) {
        List<Collected> all = of.toList();
        return new GcActivity.Count(all.size(), all.stream().mapToDouble(Collected::pauseMs).sum());
    }

    static boolean within(Instant at, Instant from, Instant to) {
        return !at.isBefore(from) && at.isBefore(to);
    }

    static double seconds(Instant from, Instant to) {
        return Duration.between(from, to).toNanos() / 1e9;
    }
}
