package dev.jdyno.gclog.event;

import dev.jdyno.measure.gc.ShenandoahCycle;
import dev.jdyno.measure.gc.ZgcYoung;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/// One thing that a GC log tells. A closed set over all HotSpot versions and collectors.
public sealed interface GcEvent {
    /// The cause of a full collection before JDK 8 that names none, and found the permanent
    /// generation full but old not.
    String PERMANENT_GENERATION_FULL = "Permanent generation full";

    /// The line (1 is the first) that completed the event, as a rule the one with its duration.
    long line();

    /// When it began.
    When when();

    /// A moment in a log.
    ///
    /// @param uptimeS seconds since the start of the (first) JVM in the log; never falls
    /// @param epochMs the wall clock, when the log has it
    record When(double uptimeS, OptionalLong epochMs) {}

    /// What a space held before and after, in bytes.
    ///
    /// @param capacityBytes its size after; empty when the log does not say
    record Occupancy(long beforeBytes, long afterBytes, OptionalLong capacityBytes) {
        public long freedBytes() {
            return beforeBytes - afterBytes;
        }
    }

    /// CPU seconds of the GC threads and the wall time beside them.
    record Cpu(double userS, double systemS, double realS) {}

    /// Survivor statistics of one young collection (F11).
    ///
    /// @param desiredBytes "Desired survivor size": TargetSurvivorRatio of a survivor space
    /// @param threshold age from which objects are promoted at the next collection
    /// @param bytesByAge surviving bytes, index 0 is age 1; empty when the log has no table
    record Tenuring(
            OptionalLong desiredBytes, int threshold, int maxThreshold, List<Long> bytesByAge) {
        public Tenuring {
            bytesByAge = List.copyOf(bytesByAge);
        }
    }

    /// A part of a pause, in ms.
    record Phase(String name, double ms) {}

    /// One stop of the application by the collector.
    ///
    /// @param id the collection's number; empty before JDK 9
    /// @param cause why it ran, as the log words it; empty when it does not say
    /// @param ms wall time of the stop
    /// @param old the old generation, or G1's old and humongous regions
    /// @param promotedBytes bytes that moved into old (F10)
    /// @param humongousBytes humongous regions before, in bytes (G1)
    /// @param nested whether it ran inside another pause, which holds its time already
    record Pause(
            long line,
            OptionalLong id,
            When when,
            PauseKind kind,
            String cause,
            double ms,
            Optional<Occupancy> heap,
            Optional<Occupancy> young,
            Optional<Occupancy> old,
            Optional<Occupancy> metaspace,
            Optional<Cpu> cpu,
            Optional<Tenuring> tenuring,
            OptionalLong promotedBytes,
            OptionalLong humongousBytes,
            List<Phase> phases,
            Set<Trouble> troubles,
            boolean nested)
            implements GcEvent {
        public Pause {
            phases = List.copyOf(phases);
            troubles = Set.copyOf(troubles);
        }

        /// The same, with CPU times that the log showed later.
        public Pause with(Cpu times) {
            return copy(Optional.of(times), nested);
        }

        /// The same, inside another pause.
        public Pause inside() {
            return copy(cpu, true);
        }

        private Pause copy(Optional<Cpu> times, boolean inside) {
            return new Pause(
                    line,
                    id,
                    when,
                    kind,
                    cause,
                    ms,
                    heap,
                    young,
                    old,
                    metaspace,
                    times,
                    tenuring,
                    promotedBytes,
                    humongousBytes,
                    phases,
                    troubles,
                    inside);
        }
    }

    /// One collection that ran beside the application, from its start to its end: a cycle of G1 or
    /// CMS marking, of ZGC or of Shenandoah.
    ///
    /// @param kind `minor`, `major`, `cycle` (ZGC), `mark`, `undo`, `aborted` (G1), `cms`, `young`,
    ///   `mixed`, `global`, `old` (Shenandoah)
    /// @param ms from its begin to its end; empty when no line of the log tells the end
    /// @param allocatedBytes what the application allocated while it ran
    /// @param liveBytes what it found alive in the whole heap or in the generation it collected
    /// @param promotedBytes bytes that moved into old
    /// @param young what the tables of generational ZGC say of it
    /// @param shenandoah what Shenandoah without generations says of it
    record Cycle(
            long line,
            OptionalLong id,
            When when,
            String kind,
            String cause,
            OptionalDouble ms,
            Optional<Occupancy> heap,
            OptionalLong allocatedBytes,
            OptionalLong liveBytes,
            OptionalLong promotedBytes,
            Optional<ZgcYoung> young,
            Optional<ShenandoahCycle> shenandoah)
            implements GcEvent {}

    /// A phase beside the application.
    record ConcurrentPhase(long line, When when, String name, double ms) implements GcEvent {}

    /// One stop of all threads for any reason, with what getting there and leaving cost.
    ///
    /// @param operation the VM operation; empty before JDK 9
    /// @param reachingMs time to safepoint: from the request until the last thread stood
    /// @param leavingMs waking the threads again; only JDK 25 and later say it
    /// @param totalMs the whole stop
    /// @param collectingMs the part of it that is a collection, where the stop stands apart from
    ///   collections; empty where the pauses inside it stand directly before it
    record SafepointStop(
            long line,
            When when,
            String operation,
            double reachingMs,
            double leavingMs,
            double totalMs,
            OptionalDouble collectingMs)
            implements GcEvent {}

    /// A further JVM began to write to the same log: its uptime starts anew.
    record JvmStart(long line, When when) implements GcEvent {}

    /// One thread waited for memory: ZGC's allocation stall, or what Shenandoah's pacing cost a
    /// thread in one cycle. No pause: others ran on.
    record Stall(long line, When when, String thread, double ms) implements GcEvent {}
}
