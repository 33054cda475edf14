package dev.jdyno.gclog.event;

import dev.jdyno.measure.gc.ShenandoahCycle;
import dev.jdyno.measure.gc.ZgcYoung;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/// One event in a GC log. The interface is sealed; it covers all HotSpot versions and collectors.
public sealed interface GcEvent {
    /// Cause of a full collection before JDK 8 whose line has no cause. The permanent generation
    /// was full and the old generation was not.
    String PERMANENT_GENERATION_FULL = "Permanent generation full";

    /// The line that completed the event, usually the one with its duration. The first line is 1.
    long line();

    /// Start of the event.
    When when();

    /// A moment in a log.
    ///
    /// @param uptimeS seconds since the start of the (first) JVM in the log; never decreases
    /// @param epochMs wall clock, if the log has it
    record When(double uptimeS, OptionalLong epochMs) {}

    /// Used bytes of a space before and after a collection.
    ///
    /// @param capacityBytes size of the space after it; empty if the log does not show it
    record Occupancy(long beforeBytes, long afterBytes, OptionalLong capacityBytes) {
        public long freedBytes() {
            return beforeBytes - afterBytes;
        }
    }

    /// CPU time of the GC threads and the wall time, in seconds.
    record Cpu(double userS, double systemS, double realS) {}

    /// Survivor statistics of one young collection, from which the JVM computes the dynamic age
    /// (F11).
    ///
    /// @param desiredBytes "Desired survivor size": the size of a survivor space times
    ///   TargetSurvivorRatio
    /// @param threshold age from which the next collection promotes objects
    /// @param bytesByAge surviving bytes; index 0 is age 1; empty if the log has no table
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
    /// @param id number of the collection; empty before JDK 9
    /// @param cause cause of the collection in the words of the log; empty if the log does not show
    ///   it
    /// @param ms wall time of the stop
    /// @param old the old generation, or G1's old and humongous regions
    /// @param promotedBytes bytes that moved into the old generation
    /// @param humongousBytes bytes of humongous regions before the collection (G1)
    /// @param nested true if it ran inside another pause, whose time includes it
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

        /// The same pause with CPU times that followed later in the log.
        public Pause with(Cpu times) {
            return copy(Optional.of(times), nested);
        }

        /// Returns this pause, marked as a part of another pause.
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

    /// One concurrent collection from its start to its end: a marking cycle of G1 or CMS, or a
    /// cycle of ZGC or Shenandoah.
    ///
    /// @param kind `minor`, `major`, `cycle` (ZGC), `mark`, `undo`, `aborted` (G1), `cms`, `young`,
    ///   `mixed`, `global`, `old` (Shenandoah)
    /// @param ms time from its start to its end; empty if no line of the log shows the end
    /// @param allocatedBytes bytes that the application allocated meanwhile
    /// @param liveBytes live bytes found in the whole heap, or in the generation it collected
    /// @param promotedBytes bytes that moved into the old generation
    /// @param young figures from the tables of generational ZGC
    /// @param shenandoah figures of non-generational Shenandoah
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

    /// A concurrent phase.
    record ConcurrentPhase(long line, When when, String name, double ms) implements GcEvent {}

    /// One stop of all threads for any reason, with the time to reach and to leave the safepoint.
    ///
    /// @param operation the VM operation; empty before JDK 9
    /// @param reachingMs time to safepoint: from the request until the last thread stopped
    /// @param leavingMs time to wake the threads again; only in logs of JDK 25 and later
    /// @param totalMs the whole stop
    /// @param collectingMs part of the stop that is a collection, if the log lists stops apart from
    ///   collections; empty if the pauses of the stop are directly before it in the log
    record SafepointStop(
            long line,
            When when,
            String operation,
            double reachingMs,
            double leavingMs,
            double totalMs,
            OptionalDouble collectingMs)
            implements GcEvent {}

    /// Another JVM began to write to the same log; its uptime starts anew.
    record JvmStart(long line, When when) implements GcEvent {}

    /// One thread waited for memory: an allocation stall of ZGC, or the delay of a thread by
    /// Shenandoah's pacing in one cycle. It is not a pause, because other threads ran.
    record Stall(long line, When when, String thread, double ms) implements GcEvent {}
}
