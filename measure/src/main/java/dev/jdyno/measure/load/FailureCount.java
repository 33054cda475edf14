package dev.jdyno.measure.load;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// How many requests failed for one reason.
///
/// @param kind of error, as in `errorKinds`
/// @param example what was seen the first time: printable ASCII and short, whatever the server
///   sent; empty when the reason says it all
public record FailureCount(
        String kind, FailureReason reason, long count, Optional<String> example) {

    /// Both lists as one, the most frequent first; the examples are those of the first list.
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
