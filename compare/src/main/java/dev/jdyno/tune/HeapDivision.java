package dev.jdyno.tune;

import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.verdict.Change;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// How a JVM divides its heap: a larger heap brings a larger young generation along, which often is
/// all that helps, and which the heap as it is may have room for. Pure.
///
/// @param heapBytes the largest size of the heap now
/// @param youngShare of the young generation where no flag sets its size; empty where one does, or
///   where there is none of a size: then a larger heap leaves it as it is
record HeapDivision(double heapBytes, OptionalDouble youngShare) {
    /// Of the heap, that the young generation is tried at most: old must hold what lives.
    static final double MOST_YOUNG = 0.6;

    /// Share up to which G1 lets it grow (`G1MaxNewSizePercent`).
    private static final double G1_YOUNG = 0.6;

    private static final double NEW_RATIO = 2;

    /// Less than this times the present young generation is no news.
    static final double LARGER = 1.25;

    private static final long MIB = 1 << 20;

    private static final Pattern YOUNG_FLAG =
            Pattern.compile("-(?:Xmn|XX:MaxNewSize=)(\\d{1,12}[kmgKMG]?)");
    private static final Pattern RATIO_FLAG = Pattern.compile("-XX:NewRatio=(\\d{1,5})");
    private static final Pattern HEAP_FLAG =
            Pattern.compile("-(?:Xmx|XX:MaxHeapSize=)(\\d{1,12}[kmgKMG]?)");

    /// Empty where the heap's size is not known.
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

    /// The size that a flag gives the young generation; empty where the JVM chooses it.
    static OptionalDouble youngBytes(List<String> flags) {
        return bytes(YOUNG_FLAG, flags);
    }

    /// The largest size of the heap that these changes set; empty where they leave it as it is.
    static OptionalDouble heapBytes(List<Change.Launch> changes) {
        return bytes(
                HEAP_FLAG,
                changes.stream()
                        .filter(Change.JvmFlag.class::isInstance)
                        .map(c -> ((Change.JvmFlag) c).argument())
                        .toList());
    }

    /// The young generation that a larger heap brings along, on the heap as it is, as far as that
    /// has room; empty where the changes make no larger heap, or set the young generation as well,
    /// or where it would not be clearly larger.
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
                Math.min(youngShare.getAsDouble() * wanted.getAsDouble(), MOST_YOUNG * heapBytes);
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

    /// Of two flags of one name the JVM takes the last.
    private static Optional<String> last(Pattern flag, List<String> flags) {
        return flags.stream()
                .map(flag::matcher)
                .filter(Matcher::matches)
                .map(m -> m.group(1))
                .reduce((_, later) -> later);
    }
}
