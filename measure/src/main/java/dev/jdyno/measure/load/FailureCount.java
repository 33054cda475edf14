package dev.jdyno.measure.load;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The number of requests that failed for one reason.
///
/// @param kind kind of error, as in `errorKinds`
/// @param example what the server sent the first time, as short printable ASCII text; empty when
///   the reason is sufficient
public record FailureCount(
        String kind, FailureReason reason, long count, Optional<String> example) {

    /// Adds both lists. The most frequent reason is first; the examples are those of the first
    /// list.
    public static List<FailureCount> sum(List<FailureCount> a, List<FailureCount> b) {
        List<FailureCount> all = new ArrayList<>(a);
        for (FailureCount more : b) {
            int at = 0;
            while (at < all.size() && !all.get(at).isSameAs(more)) {
                at++;
            }
            if (at == all.size()) {
                all.add(more);
            } else {
                all.set(at, all.get(at).plus(more.count));
            }
        }
        all.sort(Comparator.comparingLong(FailureCount::count).reversed());
        return List.copyOf(all);
    }

    private boolean isSameAs(FailureCount other) {
        return kind.equals(other.kind) && reason == other.reason;
    }

    private FailureCount plus(long more) {
        return new FailureCount(kind, reason, count + more, example);
    }
}
