package dev.jdyno.diagnose.gc;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.gc.GcLimits;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.ChangeName;
import dev.jdyno.measure.verdict.WrittenChange;
import java.util.List;
import java.util.Optional;

/// The memory that a heap may have where the target runs: what the machine has, or what the
/// target's cgroup may take. A heap that is set beyond it ends in the kernel killing the service.
///
/// @param bytes of memory
/// @param whose it is, as a clause
public record HeapRoom(long bytes, String whose) {
    private static final double MIB = 1 << 20;

    /// Empty where the memory is not known.
    static Optional<HeapRoom> of(Situation s) {
        Optional<HeapRoom> machine =
                Optional.of(s.machineMemoryBytes())
                        .filter(b -> b > 0)
                        .map(b -> new HeapRoom(b, "the machine has"));
        return s.target()
                .memoryLimitBytes()
                .filter(limit -> limit > 0 && (machine.isEmpty() || limit < machine.get().bytes()))
                .map(limit -> new HeapRoom(limit, "its cgroup, the container's, may take"))
                .or(() -> machine);
    }

    private boolean holds(double heapMib) {
        return heapMib * MIB <= GcLimits.HEAP_OF_MEMORY * bytes;
    }

    private String lacks(double heapMib) {
        return say(
                "; with what lies beside the heap that needs %s, and %s %s: raise that first, or"
                        + " the kernel kills the service",
                Bytes.mebi(Math.ceil(heapMib / GcLimits.HEAP_OF_MEMORY)), whose, new Bytes(bytes));
    }

    /// Prescribes a setting that makes the heap as large as that. What the memory has no room for
    /// is no setting to be tried, and says so.
    ///
    /// @param heapMib the whole heap with it; empty when it is not known
    static RecommendationList setting(
            Situation s,
            RecommendationList recommendations,
            Optional<Double> heapMib,
            ChangeName name,
            String says,
            WrittenChange written,
            String how,
            Gain gain,
            List<Change> changes) {
        Optional<String> lacks =
                of(s).flatMap(room -> heapMib.filter(h -> !room.holds(h)).map(room::lacks));
        return lacks.isPresent()
                ? recommendations.byHand(name, says + lacks.get(), written, how, gain, changes)
                : recommendations.setting(name, says, written, how, gain, changes);
    }
}
