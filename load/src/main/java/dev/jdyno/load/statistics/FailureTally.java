package dev.jdyno.load.statistics;

import dev.jdyno.load.wire.SocketFailure;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.FailureCount;
import dev.jdyno.measure.load.FailureReason;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Counts failed requests by kind and reason and keeps the first example of each. Kinds and reasons
/// are fixed sets, so the memory is bounded whatever a server sends.
public final class FailureTally {
    private record Key(ErrorKind kind, FailureReason reason) {}

    private static final class Seen {
        private final String example;
        private long count;

        Seen(String example) {
            this.example = example;
        }
    }

    private final Map<Key, Seen> seen = new HashMap<>();

    public void add(SocketFailure failure) {
        seen.computeIfAbsent(
                        new Key(failure.kind(), failure.reason()), _ -> new Seen(failure.example()))
                .count++;
    }

    /// The counts, the most frequent first.
    List<FailureCount> counts() {
        return seen.entrySet().stream()
                .map(e ->
                        new FailureCount(
                                e.getKey().kind.key(),
                                e.getKey().reason,
                                e.getValue().count,
                                Optional.of(e.getValue().example).filter(x -> !x.isEmpty())))
                .sorted(
                        Comparator.comparingLong(FailureCount::count)
                                .reversed()
                                .thenComparing(FailureCount::reason))
                .toList();
    }
}
