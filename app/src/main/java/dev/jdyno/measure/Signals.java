package dev.jdyno.measure;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/// Counters of the operating system and the JVM over one evidence window, each a rate, a share or a
/// level. A sign that could not be measured is absent, never zero.
public record Signals(Map<Sign, Double> values) {
    public static final Signals NONE = new Signals(Map.of());

    /// What can be seen. A share is of the window's time, 0…1.
    public enum Sign {
        /// Application stopped, not for the collector.
        SAFEPOINT_SHARE("safepointShare", "share"),
        /// Safepoints that were no collections.
        SAFEPOINTS_PER_S("safepointsPerS", "1/s"),
        CLASSES_LOADED_PER_S("classesLoadedPerS", "1/s"),
        THREADS_STARTED_PER_S("threadsStartedPerS", "1/s"),
        /// Cores used by collector threads.
        GC_CORES("gcCores", "cores"),
        /// Cores used by compiler threads.
        JIT_CORES("jitCores", "cores"),
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
        /// Connections refused because the accept queue was full, in the target's network
        /// namespace.
        LISTEN_OVERFLOWS_PER_S("listenOverflowsPerS", "1/s"),
        /// Connections opened and accepted, in the target's network namespace.
        ACTIVE_OPENS_PER_S("activeOpensPerS", "1/s"),
        PASSIVE_OPENS_PER_S("passiveOpensPerS", "1/s"),
        RETRANSMITS_PER_S("retransmitsPerS", "1/s"),
        /// Sockets in TIME_WAIT at the end.
        TIME_WAIT_SOCKETS("timeWaitSockets", "sockets"),
        /// Mean number of connections whose answer the client had not taken yet.
        UNSENT_SOCKETS("unsentSockets", "sockets"),
        /// File descriptors in use ÷ the limit, at the end.
        FD_SHARE("fdShare", "share"),
        /// Virtual threads seen in a dump, mean.
        VIRTUAL_THREADS("virtualThreads", "threads");

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
    }

    public Optional<Double> of(Sign sign) {
        return Optional.ofNullable(values.get(sign));
    }

    /// These and those; where both have a sign, those win.
    public Signals and(Signals those) {
        Map<Sign, Double> all = new EnumMap<>(Sign.class);
        all.putAll(values);
        all.putAll(those.values);
        return new Signals(all);
    }
}
