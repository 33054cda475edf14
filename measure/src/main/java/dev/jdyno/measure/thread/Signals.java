package dev.jdyno.measure.thread;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Counters of the operating system and the JVM over one diagnostic window, each a rate, a share or
/// a level. A sign that could not be measured is absent, never zero.
///
/// @param places of some signs where they were seen: a thread, a class, a port
/// @param disks what each disk did, the busiest first; none where the kernel did not tell
public record Signals(Map<Sign, Double> values, Map<Sign, String> places, List<DiskUse> disks) {
    public static final Signals NONE = new Signals(Map.of());

    /// What can be seen. A share is of the window's time, 0…1.
    public enum Sign {
        /// Application stopped, neither for the collector nor for our own thread dumps.
        SAFEPOINT_SHARE("safepointShare", "share"),
        /// Time from the call for a safepoint until the last thread had stopped; its place is the
        /// method in which that thread was found when our dumps had waited for it.
        SAFEPOINT_SYNC_SHARE("safepointSyncShare", "share"),
        /// Application stopped by our own thread dumps.
        OWN_PAUSE_SHARE("ownPauseShare", "share"),
        /// Throughput of the diagnostic window ÷ that of the round at the same load, where nobody
        /// looked inside.
        EVIDENCE_QPS_RATIO("evidenceQpsRatio", "ratio"),
        /// The same of the 99th percentile of the response time.
        EVIDENCE_P99_RATIO("evidenceP99Ratio", "ratio"),
        /// Safepoints that were no collections.
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
        /// Cores used by processes that are neither the target nor this tool; its place says by
        /// which most.
        NEIGHBOUR_CORES("neighbourCores", "cores"),
        /// Cores used by the busiest Java thread: one that stays near 1 is an event loop at its
        /// end.
        HOTTEST_THREAD_CORES("hottestThreadCores", "cores"),
        /// Share of the window in which some task of the machine waited for CPU, I/O, memory (PSI).
        PSI_CPU("psiCpu", "share"),
        PSI_IO("psiIo", "share"),
        PSI_MEMORY("psiMemory", "share"),
        MAJOR_FAULTS_PER_S("majorFaultsPerS", "1/s"),
        DISK_READ_BYTES_PER_S("diskReadBytesPerS", "B/s"),
        DISK_WRITE_BYTES_PER_S("diskWriteBytesPerS", "B/s"),
        /// Bytes that processes other than the target and this tool read from and wrote to disks;
        /// its place says which most.
        NEIGHBOUR_DISK_BYTES_PER_S("neighbourDiskBytesPerS", "B/s"),
        /// Limits that the target's cgroups set to its reading and writing of disks; their place
        /// says which.
        DISK_LIMITS("diskLimits", "limits"),
        /// Connections refused because the accept queue was full, in the target's network
        /// namespace.
        LISTEN_OVERFLOWS_PER_S("listenOverflowsPerS", "1/s"),
        /// Connections opened and accepted, in the target's network namespace.
        ACTIVE_OPENS_PER_S("activeOpensPerS", "1/s"),
        PASSIVE_OPENS_PER_S("passiveOpensPerS", "1/s"),
        RETRANSMITS_PER_S("retransmitsPerS", "1/s"),
        /// Acknowledgements that a timer of 40 ms sent, for no answer carried them: with Nagle's
        /// algorithm on the other side the sender waited for each.
        DELAYED_ACKS_PER_S("delayedAcksPerS", "1/s"),
        /// Mean number of the target's connections to others whose kernel holds back what was
        /// written to them.
        HELD_BACK_SOCKETS("heldBackSockets", "sockets"),
        /// Mean number of connections to the target whose request has no answer yet.
        REQUESTS_INSIDE("requestsInside", "requests"),
        /// Mean number of connections that something in front of the target holds to it: the load
        /// goes to an address that the target does not listen on, which is its place.
        FRONT_CONNECTIONS("frontConnections", "sockets"),
        /// Largest share of the ephemeral ports that connections to one place hold, TIME_WAIT
        /// included.
        PORTS_SHARE("portsShare", "share"),
        /// Connections to that place that can be opened and closed again in a second before all
        /// ports are held.
        PORTS_PER_S("portsPerS", "1/s"),
        /// Established connections that the target itself holds to the place it has most of them
        /// to, at the end.
        DOWNSTREAM_CONNECTIONS("downstreamConnections", "sockets"),
        /// Sockets in TIME_WAIT at the end.
        TIME_WAIT_SOCKETS("timeWaitSockets", "sockets"),
        /// Mean number of connections whose answer the client had not taken yet.
        UNSENT_SOCKETS("unsentSockets", "sockets"),
        /// File descriptors in use ÷ the limit, at the end.
        FD_SHARE("fdShare", "share"),
        /// Share of the threads found in a log that had called it below INFO; its place is the
        /// package most of those calls came from.
        LOGGED_LOW_SHARE("loggedLowShare", "share"),
        /// Threads found in the middle of writing a log line to standard output or error, mean. Its
        /// place is what standard output is, by the kernel's name: `pipe:[4711]`, `/dev/pts/0`, a
        /// file.
        WRITES_TO_OUTPUT("writesToOutput", "threads"),
        /// Share of the threads at work that were found making a class: compiling a script or a
        /// stylesheet, generating a proxy. Its place says by what and for whom, where most were.
        MAKES_CLASSES_SHARE("makesClassesShare", "share"),
        /// Virtual threads seen in a dump, mean.
        VIRTUAL_THREADS("virtualThreads", "threads"),
        /// Virtual threads that wait and keep their carrier meanwhile, mean.
        PINNED_THREADS("pinnedThreads", "threads"),
        /// Threads that wait for each other in a circle, in the last dump; its place says who waits
        /// for what and where.
        DEADLOCKED_THREADS("deadlockedThreads", "threads"),
        /// Those, and all that wait for a lock that one of them has, or for one whose holder waits
        /// for them.
        BEHIND_DEADLOCK("behindDeadlock", "threads"),
        /// 1 when the JVM runs without its compilers (`-Xint`, or the code cache was full), else 0.
        COMPILER_OFF("compilerOff", "flag"),
        /// Times the code cache was full since the JVM started.
        CODE_CACHE_FULL("codeCacheFull", "times"),
        /// Share of the samples of running Java threads that found them in code that is not
        /// compiled; its place is the method they were found in most.
        INTERPRETED_SHARE("interpretedShare", "share"),
        /// Samples of a flight recording from which the places of work on the CPU are; its place
        /// says of which kind they are and what they lack. Absent where the places are from dumps.
        CPU_SAMPLES("cpuSamples", "samples"),
        /// CPU-time samples that the JVM says it lost meanwhile.
        CPU_SAMPLES_LOST("cpuSamplesLost", "samples"),
        /// Growth of what is live after a collection, between two counts of all objects.
        LIVE_GROWTH_BYTES_PER_S("liveGrowthBytesPerS", "B/s"),
        /// The same of those classes alone that grew by about as much in each of two intervals:
        /// what requests hold for a moment is more at one count and less at another.
        LIVE_STEADY_GROWTH_BYTES_PER_S("liveSteadyGrowthBytesPerS", "B/s"),
        /// Share of the sampled objects that live still which one field holds as some of many; its
        /// place is the field and what is in it.
        LIVE_HELD_SHARE("liveHeldShare", "share"),
        /// Share of those that were made at one place; its place is that method and line.
        LIVE_MADE_SHARE("liveMadeShare", "share"),
        /// Share of the live bytes that objects of one class take, without what they refer to; its
        /// place is that class.
        LIVE_LARGEST_SHARE("liveLargestShare", "share"),
        /// Live objects of the application's own class of which there are most; its place is that
        /// class.
        LIVE_OWN_OBJECTS("liveOwnObjects", "objects"),
        /// Share of all sampled objects that live still which one field holds as some of many,
        /// whether anything grows or not; its place is the field and what is in it.
        LIVE_SET_HELD_SHARE("liveSetHeldShare", "share"),
        /// The longest of the stops that counting them and looking for their holders cost the
        /// target.
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

    /// A sign that is a share, with the place that has most of it, of equals the first by name;
    /// {@link #NONE} where there is nothing to have a share of.
    ///
    /// @param found how many were found at each place
    /// @param all how many there are, found at a place or not
    public static Signals share(Sign sign, Map<String, Double> found, double all) {
        if (all == 0) {
            return NONE;
        }
        double share = found.values().stream().mapToDouble(n -> n).sum() / all;
        Map<Sign, String> most =
                found.entrySet().stream()
                        .max(
                                Map.Entry.<String, Double>comparingByValue()
                                        .thenComparing(
                                                Map.Entry.comparingByKey(
                                                        Comparator.reverseOrder())))
                        .map(e -> Map.of(sign, e.getKey()))
                        .orElse(Map.of());
        return new Signals(Map.of(sign, share), most);
    }

    public Optional<String> place(Sign sign) {
        return Optional.ofNullable(places.get(sign));
    }

    public Optional<Double> of(Sign sign) {
        return Optional.ofNullable(values.get(sign));
    }

    /// These, with what is ours taken out of one of them; it does not fall below zero.
    public Signals less(Sign sign, double ours) {
        Double seen = values.get(sign);
        return seen == null ? this : and(new Signals(Map.of(sign, Math.max(0, seen - ours))));
    }

    /// These and those; where both have a sign, those win.
    public Signals and(Signals those) {
        Map<Sign, Double> all = new EnumMap<>(Sign.class);
        all.putAll(values);
        all.putAll(those.values);
        Map<Sign, String> where = new EnumMap<>(Sign.class);
        where.putAll(places);
        where.putAll(those.places);
        return new Signals(all, where, those.disks.isEmpty() ? disks : those.disks);
    }

    /// These with the disks of the same window.
    public Signals withDisks(List<DiskUse> seen) {
        return new Signals(values, places, seen);
    }

    /// The busiest of the disks on which files of the target lie.
    public Optional<DiskUse> diskOfTarget() {
        return disks.stream()
                .filter(DiskUse::ofTarget)
                .max(Comparator.comparingDouble(DiskUse::utilisation));
    }
}
