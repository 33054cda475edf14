package dev.jdyno.compare;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.text.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Collects the blocks of one start in the order of measurement.
final class Blocks {
    /// Multiple of the wanted length from which a block counts as lengthened.
    private static final double MUCH_LONGER = 1.5;

    private final Map<Arm, List<Round>> all = new EnumMap<>(Arm.class);
    private final List<Pair> pairs = new ArrayList<>();

    /// How the client itself limited a spoilt block.
    private final Map<Arm, String> toolLimits = new EnumMap<>(Arm.class);

    private int discarded;

    /// Records any measured block, also one that is not part of a pair.
    void seen(Arm arm, Round block) {
        all.computeIfAbsent(arm, _ -> new ArrayList<>()).add(block);
    }

    /// Counts a spoilt block of one variant.
    void discard(Arm arm, Round spoilt) {
        discarded++;
        if (!spoilt.client().heldUp()) {
            spoilt.client().why().ifPresent(why -> toolLimits.putIfAbsent(arm, why));
        }
    }

    /// Returns a variant whose blocks the client limited, A first; empty if there is none.
    Optional<Arm> limitedByTool() {
        return toolLimits.keySet().stream().findFirst();
    }

    /// Returns how the client limited the blocks of that variant.
    Optional<String> toolLimit() {
        return toolLimits.values().stream().findFirst();
    }

    void add(Metric.Load load, Map<Arm, Round> rounds) {
        Round ofA = rounds.get(Arm.A);
        Round ofB = rounds.get(Arm.B);
        if (ofA != null && ofB != null) {
            pairs.add(new Pair(load, ofA, ofB));
        }
    }

    /// Returns a note if a block lasted much longer than asked for, because a run of a load tool
    /// cannot be shortened.
    Optional<Note> longerThan(Duration asked) {
        double max = MUCH_LONGER * Durations.seconds(asked);
        return all.values().stream().flatMap(List::stream).anyMatch(r -> r.seconds() > max)
                ? Optional.of(new Note.BlocksLengthened(asked))
                : Optional.empty();
    }

    /// Returns the variants whose heap fills up during this start.
    Set<Arm> filling() {
        return all.entrySet().stream()
                .filter(e -> FillingHeap.of(e.getValue()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    Optional<Start> start() {
        return pairs.isEmpty() && discarded == 0
                ? Optional.empty()
                : Optional.of(new Start(pairs, discarded));
    }
}
