package dev.jdyno.capacity;

import dev.jdyno.measure.thread.Cause;
import java.util.Optional;
import java.util.regex.Pattern;

/// The name of a resource or a delay, in results and as users write it: `cpu`, or a kind and a
/// place, `lock:com.acme.Books$Ledger@7f3a in com.acme.Books.post`.
///
/// @param kind usually the key of a cause
/// @param place name of the lock, pool or service. Empty if the kind has only one resource, or if
///   the name stands for all of them.
record ResourceName(String kind, String place) {
    private static final char BETWEEN = ':';

    static ResourceName of(String text) {
        int end = text.indexOf(BETWEEN);
        return end < 0
                ? new ResourceName(text, "")
                : new ResourceName(text.substring(0, end), text.substring(end + 1));
    }

    static ResourceName of(Cause kind, Optional<String> place) {
        return new ResourceName(kind.key(), place.orElse(""));
    }

    boolean is(Cause cause) {
        return kind.equals(cause.key());
    }

    /// True if this name, as a user writes it, stands for the other one. `downstream` stands for
    /// all downstreams. A whole word of the other place is enough, because the place of a lock is
    /// long.
    boolean means(ResourceName other) {
        return kind.equals(other.kind)
                && (place.isEmpty()
                        || Pattern.compile("(?<!\\w)" + Pattern.quote(place) + "(?!\\w)")
                                .matcher(other.place)
                                .find());
    }

    String text() {
        return place.isEmpty() ? kind : kind + BETWEEN + place;
    }
}
