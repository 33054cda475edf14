package dev.jdyno.measure.thread;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Counters of the operating system and the JVM over one diagnostic window, each a rate, a share or
/// a level. A sign that could not be measured is absent, never zero.
///
/// @param places for some signs, where they were found: a thread, a class, a port
/// @param disks activity of each disk, the busiest first; empty if the kernel did not report it
public record Signals(Map<Sign, Double> values, Map<Sign, String> places, List<DiskUse> disks) {
    public static final Signals NONE = new Signals(Map.of());

    /// The signs. A share is of the window's time, 0…1.
    public enum Sign {
        /// Application stopped, neither for the collector nor for jdyno's thread dumps.
        SAFEPOINT_SHARE("safepointShare", "share"),
        /// Time from the request of a safepoint until the last thread had stopped. Its place is the
        /// method of that thread, from the dumps whose safepoint had to wait for it.
        SAFEPOINT_SYNC_SHARE("safepointSyncShare", "share"),
        /// Application stopped by jdyno's own thread dumps.
        OWN_PAUSE_SHARE("ownPauseShare", "share"),
        /// Throughput of the diagnostic window ÷ that of the round at the same load, in which
        /// nothing was observed inside the target.
        EVIDENCE_QPS_RATIO("evidenceQpsRatio", "ratio"),
        /// 99th percentile of the response time in the diagnostic window ÷ that in the round at the
        /// same load.
        EVIDENCE_P99_RATIO("evidenceP99Ratio", "ratio"),
        /// Safepoints that were not collections.
        SAFEPOINTS_PER_S("safepointsPerS", "1/s"),
        CLASSES_LOADED_PER_S("classesLoadedPerS", "1/s"),
        THREADS_STARTED_PER_S("threadsStartedPerS", "1/s"),
        /// Cores used by collector threads.
        GC_CORES("gcCores", "cores"),
        /// Cores used by compiler threads.
        JIT_CORES("jitCores", "cores"),
        /// Cores that compiler threads waited for in a run queue.
        JIT_WAITED_CORES("jitWaitedCores", "cores"),
        /// Methods that waited for a compiler at the end of the window.
        COMPILE_QUEUE("compileQueue", "methods"),
        /// Cores used by processes other than the target and this tool. Its place names the
        /// processes that used most.
        NEIGHBOUR_CORES("neighbourCores", "cores"),
        /// Cores used by the busiest Java thread: a value near 1 means a saturated event loop.
        HOTTEST_THREAD_CORES("hottestThreadCores", "cores"),
        /// Share of the window in which some task of the machine waited for CPU, I/O or memory
        /// (PSI).
        PSI_CPU("psiCpu", "share"),
        PSI_IO("psiIo", "share"),
        PSI_MEMORY("psiMemory", "share"),
        MAJOR_FAULTS_PER_S("majorFaultsPerS", "1/s"),
        DISK_READ_BYTES_PER_S("diskReadBytesPerS", "B/s"),
        DISK_WRITE_BYTES_PER_S("diskWriteBytesPerS", "B/s"),
        /// Bytes that processes other than the target and this tool read from and wrote to disks.
        /// Its place names the processes with most.
        NEIGHBOUR_DISK_BYTES_PER_S("neighbourDiskBytesPerS", "B/s"),
        /// Limits of the target's cgroups for reading and writing disks. Their place names them.
        DISK_LIMITS("diskLimits", "limits"),
        /// Connections refused because the accept queue was full, in the target's network
        /// namespace.
        LISTEN_OVERFLOWS_PER_S("listenOverflowsPerS", "1/s"),
        /// Connections opened and accepted, in the target's network namespace.
        ACTIVE_OPENS_PER_S("activeOpensPerS", "1/s"),
        PASSIVE_OPENS_PER_S("passiveOpensPerS", "1/s"),
        RETRANSMITS_PER_S("retransmitsPerS", "1/s"),
        /// TCP acknowledgements per second that a timer of 40 ms sent, because no answer carried
        /// them. If the sender of the data uses Nagle's algorithm, it waited for each of them.
        DELAYED_ACKS_PER_S("delayedAcksPerS", "1/s"),
        /// Mean number of the target's connections to other services on which the kernel holds back
        /// written data.
        HELD_BACK_SOCKETS("heldBackSockets", "sockets"),
        /// Mean number of connections to other services on whose other end the kernel holds back
        /// written data. Only ends in the target's network namespace can be observed.
        PEER_HELD_BACK_SOCKETS("peerHeldBackSockets", "sockets"),
        /// Mean number of connections to the target whose request has no answer yet.
        REQUESTS_INSIDE("requestsInside", "requests"),
        /// Mean number of connections between the client and a server in front of the target. The
        /// load goes to an address on which the target does not listen. Its place is this address.
        FRONT_CONNECTIONS("frontConnections", "sockets"),
        /// Largest share of the ephemeral ports used by connections to one destination, TIME_WAIT
        /// included.
        PORTS_SHARE("portsShare", "share"),
        /// Connections per second that can be opened and closed to that destination before all
        /// ports are in use.
        PORTS_PER_S("portsPerS", "1/s"),
        /// Established connections of the target to the destination with the most connections, at
        /// the end.
        DOWNSTREAM_CONNECTIONS("downstreamConnections", "sockets"),
        /// Sockets in TIME_WAIT at the end.
        TIME_WAIT_SOCKETS("timeWaitSockets", "sockets"),
        /// Mean number of connections on which the client had not taken the answer yet.
        UNSENT_SOCKETS("unsentSockets", "sockets"),
        /// File descriptors in use ÷ the limit, at the end.
        FD_SHARE("fdShare", "share"),
        /// Share of the logging threads that log at a level below INFO. Its place is the package
        /// from which most of those calls came.
        LOGGED_LOW_SHARE("loggedLowShare", "share"),
        /// Mean number of threads that were writing a log line to standard output or error. Its
        /// place is the kernel's name of standard output: `pipe:[4711]`, `/dev/pts/0`, a file.
        WRITES_TO_OUTPUT("writesToOutput", "threads"),
        /// Share of the working threads that were creating a class, for example by compiling a
        /// script or generating a proxy. Its place names the tool that creates most classes, and
        /// its caller.
        MAKES_CLASSES_SHARE("makesClassesShare", "share"),
        /// Mean number of virtual threads in a dump.
        VIRTUAL_THREADS("virtualThreads", "threads"),
        /// Mean number of virtual threads that wait and pin their carrier meanwhile.
        PINNED_THREADS("pinnedThreads", "threads"),
        /// Threads that wait for each other in a circle, in the last dump. Its place names each
        /// thread with its lock and its code.
        DEADLOCKED_THREADS("deadlockedThreads", "threads"),
        /// Number of deadlocked threads plus all threads that wait for a lock of one of them,
        /// directly or through other holders.
        BEHIND_DEADLOCK("behindDeadlock", "threads"),
        /// 1 when the JVM runs without its compilers (`-Xint`, or the code cache was full), else 0.
        COMPILER_OFF("compilerOff", "flag"),
        /// Number of times the code cache was full since the JVM started.
        CODE_CACHE_FULL("codeCacheFull", "times"),
        /// Share of the samples of running Java threads that were in code that is not compiled. Its
        /// place is the method with most of them.
        INTERPRETED_SHARE("interpretedShare", "share"),
        /// Number of the flight recording's samples that show which code used the CPU. Its place
        /// names the kind of samples and what they lack. Absent if thread dumps show it.
        CPU_SAMPLES("cpuSamples", "samples"),
        /// CPU-time samples that the JVM reported as lost during the window.
        CPU_SAMPLES_LOST("cpuSamplesLost", "samples"),
        /// Growth of the live bytes after a collection, between two counts of all objects.
        LIVE_GROWTH_BYTES_PER_S("liveGrowthBytesPerS", "B/s"),
        /// The same growth, only of classes that grew by about the same amount in each of two
        /// intervals. Objects that requests hold briefly are thus excluded, because their number
        /// varies between counts.
        LIVE_STEADY_GROWTH_BYTES_PER_S("liveSteadyGrowthBytesPerS", "B/s"),
        /// Share of the sampled live objects of the growing class that one field holds, directly or
        /// through other objects, together with many others. Its place is the field and the type of
        /// its value.
        LIVE_HELD_SHARE("liveHeldShare", "share"),
        /// Share of the sampled live objects of the growing class that were allocated at one place.
        /// Its place is that method and line.
        LIVE_MADE_SHARE("liveMadeShare", "share"),
        /// Share of the live bytes in objects of one class, without the objects that they refer to.
        /// Its place is that class.
        LIVE_LARGEST_SHARE("liveLargestShare", "share"),
        /// Number of live objects of the application's most frequent class. Its place is that
        /// class.
        LIVE_OWN_OBJECTS("liveOwnObjects", "objects"),
        /// Share of all sampled live objects, growing or not, that one field holds together with
        /// many others. Its place is the field and the type of its value.
        LIVE_SET_HELD_SHARE("liveSetHeldShare", "share"),
        /// The longest stop that counting the live objects and finding their holders caused.
        LIVE_COUNT_PAUSE_MS("liveCountPauseMs", "ms");

        private final String key;
        private final String unit;

        Sign(String key, String unit) {
            this.key = key;
            this.unit = unit;
        }

        public String key() {
            return key;
        }

        public String unit() {
            return unit;
        }
    }

    public Signals {
        values = Map.copyOf(values);
        places = Map.copyOf(places);
        disks = List.copyOf(disks);
    }

    /// Signs without disks.
    public Signals(Map<Sign, Double> values, Map<Sign, String> places) {
        this(values, places, List.of());
    }

    /// Signs without places.
    public Signals(Map<Sign, Double> values) {
        this(values, Map.of());
    }

    /// A sign that is a share. Its place is the one that contributes most, or the first by name if
    /// several contribute equally. {@link #NONE} if `all` is 0.
    ///
    /// @param found number found at each place
    /// @param all total number, found at a place or not
    public static Signals share(Sign sign, Map<String, Double> found, double all) {
        if (all == 0) {
            return NONE;
        }
        double share = found.values().stream().mapToDouble(n -> n).sum() / all;
        Map<Sign, String> max =
                found.entrySet().stream()
                        .max(
                                Map.Entry.<String, Double>comparingByValue()
                                        .thenComparing(
                                                Map.Entry.comparingByKey(
                                                        Comparator.reverseOrder())))
                        .map(e -> Map.of(sign, e.getKey()))
                        .orElse(Map.of());
        return new Signals(Map.of(sign, share), max);
    }

    public Optional<String> place(Sign sign) {
        return Optional.ofNullable(places.get(sign));
    }

    public Optional<Double> of(Sign sign) {
        return Optional.ofNullable(values.get(sign));
    }

    /// These signals with jdyno's own part subtracted from one of them. The result is at least
    /// zero.
    public Signals less(Sign sign, double ours) {
        Double seen = values.get(sign);
        return seen == null ? this : and(new Signals(Map.of(sign, Math.max(0, seen - ours))));
    }

    /// These signals without one of them, which is then unknown.
    public Signals without(Sign sign) {
        Map<Sign, Double> others = new EnumMap<>(Sign.class);
        others.putAll(values);
        others.remove(sign);
        Map<Sign, String> where = new EnumMap<>(Sign.class);
        where.putAll(places);
        where.remove(sign);
        return new Signals(others, where, disks);
    }

    /// These signals combined with `those`. If both have a sign, the value in `those` is used.
    public Signals and(Signals those) {
        Map<Sign, Double> all = new EnumMap<>(Sign.class);
        all.putAll(values);
        all.putAll(those.values);
        Map<Sign, String> where = new EnumMap<>(Sign.class);
        where.putAll(places);
        where.putAll(those.places);
        return new Signals(all, where, those.disks.isEmpty() ? disks : those.disks);
    }

    /// These signals with the disks of the same window.
    public Signals withDisks(List<DiskUse> seen) {
        return new Signals(values, places, seen);
    }

    /// The busiest of the disks that hold files of the target.
    public Optional<DiskUse> diskOfTarget() {
        return disks.stream()
                .filter(DiskUse::ofTarget)
                .max(Comparator.comparingDouble(DiskUse::utilisation));
    }
}
