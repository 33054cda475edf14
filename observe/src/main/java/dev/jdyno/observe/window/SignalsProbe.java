package dev.jdyno.observe.window;

import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.observe.gc.GcCounters;
import dev.jdyno.observe.host.DiskLimits;
import dev.jdyno.observe.host.Headroom;
import dev.jdyno.observe.probe.Probe;
import dev.jdyno.observe.sockets.Databases;
import dev.jdyno.observe.sockets.EphemeralPorts;
import dev.jdyno.observe.sockets.NetworkCommand;
import dev.jdyno.observe.sockets.SocketStatistics;
import dev.jdyno.observe.sockets.Sockets;
import dev.jdyno.observe.threads.CompilerThreads;
import dev.jdyno.observe.threads.CoreUse;
import dev.jdyno.target.ProcFs;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Counters that distinguish what stacks do not show: stops of the JVM, class loading, pressure on
/// CPU, memory and disk, the accept queue, ports, file descriptors.
public final class SignalsProbe implements Probe {
    // comm holds 15 characters: "GC Thread#0", "G1 Conc#0", "ZWorkerYoung#0"
    private static final List<String> GC_THREADS =
            List.of("GC Thread", "G1 ", "ZWorker", "ZDirector", "ZDriver", "Shenandoah", "ZStat");
    private static final List<String> VM_THREADS = List.of("VM Thread", "VM Periodic", "Attach");

    /// Minimum use and wait of a thread, in cores, for its name to be read. A thread with less
    /// cannot be the hottest one that matters.
    private static final double NAMED_FROM_CORES = 0.005;

    private final ProcFs proc;
    private final long pid;
    private final Headroom headroom;

    public SignalsProbe(ProcFs proc, long pid) {
        this.proc = proc;
        this.pid = pid;
        this.headroom = new Headroom(proc, pid);
    }

    /// Running totals by sign, each in the unit of the sign × seconds.
    record Totals(Map<Sign, Double> values) {}

    Totals read(Optional<GcCounters> jvm) {
        Map<Sign, Double> v = new EnumMap<>(Sign.class);
        jvm.ifPresent(c -> {
            v.put(Sign.SAFEPOINT_SHARE, Math.max(0, c.safepointNanos() - c.pauseNanos()) / 1e9);
            v.put(Sign.SAFEPOINT_SYNC_SHARE, c.safepointSyncNanos() / 1e9);
            v.put(
                    Sign.SAFEPOINTS_PER_S,
                    (double) Math.max(0, c.safepoints() - c.young() - c.full()));
            v.put(Sign.CLASSES_LOADED_PER_S, (double) c.classesLoaded());
            v.put(Sign.THREADS_STARTED_PER_S, (double) c.threadsStarted());
        });
        pressure("cpu", Sign.PSI_CPU, v);
        pressure("io", Sign.PSI_IO, v);
        pressure("memory", Sign.PSI_MEMORY, v);
        proc.stat(pid).ifPresent(s -> v.put(Sign.MAJOR_FAULTS_PER_S, Double.parseDouble(s[9])));
        proc.text(pid, "io").ifPresent(io -> diskBytes(io, v));
        Map<String, Long> net = new HashMap<>();
        proc.text(pid, "net/netstat").ifPresent(t -> net.putAll(table(t)));
        proc.text(pid, "net/snmp").ifPresent(t -> net.putAll(table(t)));
        total(net, "TcpExt:ListenOverflows", Sign.LISTEN_OVERFLOWS_PER_S, v);
        total(net, "TcpExt:DelayedACKs", Sign.DELAYED_ACKS_PER_S, v);
        total(net, "Tcp:ActiveOpens", Sign.ACTIVE_OPENS_PER_S, v);
        total(net, "Tcp:PassiveOpens", Sign.PASSIVE_OPENS_PER_S, v);
        total(net, "Tcp:RetransSegs", Sign.RETRANSMITS_PER_S, v);
        return new Totals(v);
    }

    // some avg10=0.00 avg60=0.01 avg300=0.03 total=12334213    (µs)
    private void pressure(String resource, Sign sign, Map<Sign, Double> v) {
        proc.text("pressure/" + resource)
                .flatMap(t -> t.lines().filter(l -> l.startsWith("some ")).findFirst())
                .map(l -> l.substring(l.indexOf("total=") + 6).trim())
                .ifPresent(total -> v.put(sign, Long.parseLong(total) / 1e6));
    }

    // read_bytes: 4096
    private static void diskBytes(String io, Map<Sign, Double> v) {
        for (String line : io.lines().toList()) {
            if (line.startsWith("read_bytes: ")) {
                v.put(Sign.DISK_READ_BYTES_PER_S, Double.parseDouble(line.substring(12)));
            } else if (line.startsWith("write_bytes: ")) {
                v.put(Sign.DISK_WRITE_BYTES_PER_S, Double.parseDouble(line.substring(13)));
            }
        }
    }

    /// Parses pairs of lines, names and then numbers: `Tcp: ActiveOpens PassiveOpens …` and `Tcp:
    /// 13313 13107 …`.
    public static Map<String, Long> table(String text) {
        Map<String, Long> values = new HashMap<>();
        List<String> lines = text.lines().toList();
        for (int i = 0; i + 1 < lines.size(); i += 2) {
            String[] names = lines.get(i).split(" ");
            String[] numbers = lines.get(i + 1).split(" ");
            for (int k = 1; k < Math.min(names.length, numbers.length); k++) {
                values.put(names[0] + names[k], Long.parseLong(numbers[k]));
            }
        }
        return values;
    }

    private static void total(Map<String, Long> net, String name, Sign sign, Map<Sign, Double> v) {
        Long value = net.get(name);
        if (value != null) {
            v.put(sign, (double) value);
        }
    }

    /// @param cores CPU use per thread, over the same window
    Signals between(Totals from, Totals to, double seconds, Map<Long, CoreUse> cores) {
        Map<Sign, Double> v = new EnumMap<>(Sign.class);
        to.values()
                .forEach((sign, total) -> {
                    Double before = from.values().get(sign);
                    if (before != null && seconds >= Probe.SHORTEST_FOR_RATES_S) {
                        v.put(sign, Math.max(0, total - before) / seconds);
                    }
                });
        Map<Sign, String> places = new EnumMap<>(Sign.class);
        threadGroups(cores, v, places);
        fdShare().ifPresent(share -> v.put(Sign.FD_SHARE, share));
        return new Signals(v, places).and(DiskLimits.of(proc, pid));
    }

    /// The share of the ephemeral ports used by connections to one destination. Nothing when the
    /// target has a network namespace of its own that jdyno may not enter.
    ///
    /// @param downstreams places to which the target has connections
    Signals ports(Sockets sockets, Set<String> downstreams) throws InterruptedException {
        Optional<EphemeralPorts> ports =
                sameNetwork()
                        ? EphemeralPorts.read(proc.root().resolve("sys/net/ipv4"))
                        : EphemeralPorts.inNetworkOf(pid);
        var max = sockets.maxPorts(downstreams);
        if (ports.isEmpty() || max.isEmpty()) {
            return Signals.NONE;
        }
        String place = max.get().getKey();
        return new Signals(
                Map.of(
                        Sign.PORTS_SHARE,
                        max.get().getValue() / ports.get().ports(),
                        Sign.PORTS_PER_S,
                        ports.get().perSecond(place)),
                Map.of(Sign.PORTS_SHARE, place));
    }

    /// The kernel's statistics of the target's connections, in whichever network namespace they
    /// are.
    SocketStatistics sockets() {
        return sameNetwork() ? SocketStatistics.here() : SocketStatistics.inNetworkOf(pid);
    }

    /// A command about the target's network, in whichever network namespace it is.
    public NetworkCommand ofNetwork(List<String> words) {
        return sameNetwork() ? NetworkCommand.here(words) : NetworkCommand.inNetworkOf(pid, words);
    }

    /// @param downstreams connections of the target by host:port
    static Signals maxConnections(Map<String, Integer> downstreams) {
        return downstreams.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(e ->
                        new Signals(
                                Map.of(Sign.DOWNSTREAM_CONNECTIONS, (double) e.getValue()),
                                Map.of(Sign.DOWNSTREAM_CONNECTIONS, e.getKey())))
                .orElse(Signals.NONE);
    }

    Databases databases() {
        return new Databases(proc, pid, sameNetwork());
    }

    private boolean sameNetwork() {
        Optional<String> network = proc.networkOf(pid);
        return network.isPresent() && network.equals(proc.ownNetwork());
    }

    private void threadGroups(
            Map<Long, CoreUse> cores, Map<Sign, Double> v, Map<Sign, String> places) {
        if (cores.isEmpty()) {
            return;
        }
        double gc = 0;
        double jit = 0;
        double jitWaited = 0;
        double hottest = 0;
        for (var e : cores.entrySet()) {
            double used = e.getValue().onCpu();
            if (used + e.getValue().waiting() < NAMED_FROM_CORES) {
                continue;
            }
            String name =
                    ProcFs.text(proc.of(pid).resolve("task/" + e.getKey() + "/comm")).orElse("");
            if (startsWithAny(name, GC_THREADS)) {
                gc += used;
            } else if (CompilerThreads.isOne(name)) {
                jit += used;
                jitWaited += e.getValue().waiting();
            } else if (!startsWithAny(name, VM_THREADS) && used > hottest) {
                hottest = used;
                places.put(Sign.HOTTEST_THREAD_CORES, name.strip());
            }
        }
        v.put(Sign.GC_CORES, gc);
        v.put(Sign.JIT_CORES, jit);
        v.put(Sign.JIT_WAITED_CORES, jitWaited);
        v.put(Sign.HOTTEST_THREAD_CORES, hottest);
    }

    /// @param name of a thread of the JVM
    static boolean isCollector(String name) {
        return startsWithAny(name, GC_THREADS);
    }

    /// @param name of a thread of the JVM
    static boolean isCompiler(String name) {
        return CompilerThreads.isOne(name);
    }

    private static boolean startsWithAny(String name, List<String> starts) {
        return starts.stream().anyMatch(name::startsWith);
    }

    /// File descriptors in use ÷ the soft limit.
    private Optional<Double> fdShare() {
        return headroom.fdLimit()
                .flatMap(limit -> headroom.openFds().map(open -> open / (double) limit));
    }

    @Override
    public Sheet sheet() {
        return new Sheet(
                "counters",
                "Linux /proc, pressure stall information (4.20+) for the PSI signs",
                "a dozen file reads at the ends of a diagnostic window");
    }

    @Override
    public Optional<String> missing() {
        List<String> unseen = new ArrayList<>();
        if (proc.text("pressure/cpu").isEmpty()) {
            unseen.add("this kernel gives no pressure stall information (PSI)");
        }
        if (proc.text(pid, "io").isEmpty()) {
            unseen.add("/proc/" + pid + "/io cannot be read: no bytes from and to disks");
        }
        if (headroom.openFds().isEmpty()) {
            unseen.add(
                    "/proc/"
                            + pid
                            + "/fd cannot be read: no file descriptors, and which sockets are its"
                            + " own is not known");
        }
        return unseen.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", unseen));
    }
}
