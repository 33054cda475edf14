package dev.jdyno.tune;

import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.verdict.Change;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The division of a JVM's heap. A larger heap has a larger young generation, which is often the
/// only part that helps, and the present heap may have room for it. Pure.
///
/// @param heapBytes the present maximum size of the heap
/// @param youngShare share of the young generation if no flag sets its size. Empty if a flag does,
///   or if the collector has no such size; then a larger heap leaves it as it is
record HeapDivision(double heapBytes, OptionalDouble youngShare) {
    /// Maximum share of the heap to try for the young generation. The rest is for live objects in
    /// the old generation.
    static final double MAX_YOUNG = 0.6;

    /// Maximum share of the heap to which G1 lets the young generation grow
    /// (`G1MaxNewSizePercent`).
    private static final double G1_YOUNG = 0.6;

    private static final double NEW_RATIO = 2;

    /// Minimum ratio to the present young generation from which a larger one is worth a trial.
    static final double LARGER = 1.25;

    private static final long MIB = 1 << 20;

    /// Names of flags that set the size of the heap or its division, or the collector that divides
    /// it.
    private static final Set<String> DIVIDING =
            Set.of(
                    "-Xmx",
                    "-Xms",
                    "-Xmn",
                    "MaxRAMPercentage",
                    "NewSize",
                    "MaxNewSize",
                    "NewRatio",
                    "SurvivorRatio",
                    "collector");

    private static final Pattern YOUNG_FLAG =
            Pattern.compile("-(?:Xmn|XX:MaxNewSize=)(\\d{1,12}[kmgKMG]?)");
    private static final Pattern RATIO_FLAG = Pattern.compile("-XX:NewRatio=(\\d{1,5})");
    private static final Pattern HEAP_FLAG =
            Pattern.compile("-(?:Xmx|XX:MaxHeapSize=)(\\d{1,12}[kmgKMG]?)");

    /// Empty if the heap's size is unknown.
    static Optional<HeapDivision> of(TargetFacts facts) {
        return facts.heapMaxBytes()
                .map(heap ->
                        new HeapDivision(
                                heap, youngShare(facts.collector().orElse(""), facts.flags())));
    }

    private static OptionalDouble youngShare(String collector, List<String> flags) {
        if (youngBytes(flags).isPresent()
                || collector.startsWith("Z")
                || collector.startsWith("Shenandoah")) {
            return OptionalDouble.empty();
        }
        if (collector.startsWith("G1")) {
            return OptionalDouble.of(G1_YOUNG);
        }
        double ratio = last(RATIO_FLAG, flags).map(Double::parseDouble).orElse(NEW_RATIO);
        return OptionalDouble.of(1 / (1 + ratio));
    }

    /// The size of the young generation as a flag sets it; empty if the JVM chooses it.
    static OptionalDouble youngBytes(List<String> flags) {
        return bytes(YOUNG_FLAG, flags);
    }

    /// The maximum heap size that these changes set; empty if they leave it as it is.
    static OptionalDouble heapBytes(List<Change.Launch> changes) {
        return bytes(
                HEAP_FLAG,
                changes.stream()
                        .filter(Change.JvmFlag.class::isInstance)
                        .map(c -> ((Change.JvmFlag) c).argument())
                        .toList());
    }

    /// True if the change sets the size of the heap, its division, or the collector. The effects of
    /// two such changes depend on each other.
    static boolean divides(Change.Launch change) {
        String sets = Changes.sets(change);
        return DIVIDING.contains(sets) || sets.startsWith("G1");
    }

    /// Returns a change that gives the present heap the young generation of a larger heap, as far
    /// as there is room. Empty if the changes set no larger heap or also set the young generation,
    /// or if the result would not be clearly larger than now.
    Optional<Change.Launch> youngPart(List<Change.Launch> changes) {
        OptionalDouble wanted = heapBytes(changes);
        boolean setsYoung = changes.stream().anyMatch(c -> Changes.sets(c).equals("-Xmn"));
        if (wanted.isEmpty()
                || wanted.getAsDouble() <= heapBytes
                || setsYoung
                || youngShare.isEmpty()) {
            return Optional.empty();
        }
        double now = youngShare.getAsDouble() * heapBytes;
        double brought =
                Math.min(youngShare.getAsDouble() * wanted.getAsDouble(), MAX_YOUNG * heapBytes);
        return brought < LARGER * now
                ? Optional.empty()
                : Optional.of(
                        new Change.JvmFlag(
                                "-Xmn",
                                String.format(Locale.ROOT, "%.0fm", Math.floor(brought / MIB))));
    }

    private static OptionalDouble bytes(Pattern flag, List<String> flags) {
        return last(flag, flags)
                .map(text -> OptionalDouble.of((double) Bytes.parse(text).value()))
                .orElse(OptionalDouble.empty());
    }

    /// Returns the value of the last matching flag, which is the one that the JVM uses.
    private static Optional<String> last(Pattern flag, List<String> flags) {
        return flags.stream()
                .map(flag::matcher)
                .filter(Matcher::matches)
                .map(m -> m.group(1))
                .reduce((_, later) -> later);
    }
}
