package dev.jdyno.diagnose.gc;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.gc.GcAdvice;
import dev.jdyno.measure.gc.GcLimits;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.ChangeName;
import dev.jdyno.measure.verdict.WrittenChange;
import java.util.Optional;

/// The memory available to a heap: the machine's memory, or the limit of the target's cgroup. If
/// the heap is larger than this memory, the kernel may kill the service.
///
/// @param bytes the memory in bytes
/// @param whose owner of the memory, as a clause
public record MemoryForHeap(long bytes, String whose) {
    private static final double MIB = 1 << 20;

    /// The available memory; empty if it is not known.
    static Optional<MemoryForHeap> of(Situation s) {
        Optional<MemoryForHeap> machine =
                Optional.of(s.machineMemoryBytes())
                        .filter(b -> b > 0)
                        .map(b -> new MemoryForHeap(b, "the machine has"));
        return s.target()
                .memoryLimitBytes()
                .filter(limit -> limit > 0 && (machine.isEmpty() || limit < machine.get().bytes()))
                .map(limit ->
                        new MemoryForHeap(limit, "the service's cgroup (its container) may take"))
                .or(() -> machine);
    }

    private boolean holds(double heapMib) {
        return heapMib * MIB <= GcLimits.HEAP_OF_MEMORY * bytes;
    }

    private String lacks(double heapMib) {
        return say(
                "; with the memory outside the heap this needs %s, and %s %s: raise that first,"
                        + " or the kernel kills the service",
                Bytes.mebi(Math.ceil(heapMib / GcLimits.HEAP_OF_MEMORY)), whose, new Bytes(bytes));
    }

    /// Adds a setting. If the heap does not fit into the memory, the recommendation says so and is
    /// not a setting that can be tried.
    static RecommendationList setting(
            Situation s,
            RecommendationList list,
            GcAdvice advice,
            String says,
            String how,
            Gain gain) {
        Optional<String> lacks =
                advice.changes().stream()
                        .flatMap(c -> heapMib(c).stream())
                        .findFirst()
                        .flatMap(heap ->
                                of(s).filter(room -> !room.holds(heap))
                                        .map(room -> room.lacks(heap)));
        WrittenChange written = WrittenChange.read(advice.change(), advice.changes());
        return lacks.isEmpty() && advice.isSetting()
                ? list.setting(
                        ChangeName.of(advice.id()), says, written, how, gain, advice.changes())
                : list.byHand(
                        ChangeName.of(advice.id()),
                        says + lacks.orElse(""),
                        written,
                        how,
                        gain,
                        advice.changes());
    }

    /// Returns the size of the whole heap after a change; empty for a change of another kind.
    private static Optional<Double> heapMib(Change change) {
        return change instanceof Change.JvmFlag(String name, Optional<String> value)
                        && name.equals("-Xmx")
                ? value.map(v -> Bytes.parse(v).inMebi())
                : Optional.empty();
    }
}
