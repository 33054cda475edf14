package dev.jdyno.capacity;

import dev.jdyno.measure.thread.Cause;
import java.util.Optional;
import java.util.regex.Pattern;

/// The name of a resource or a delay, as results hold it and users write it: `cpu`, or a kind and
/// which one of it, `lock:com.acme.Books$Ledger@7f3a in com.acme.Books.post`.
///
/// @param kind a cause's key as a rule
/// @param place which one; empty for a kind that has only one, or for all of it
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

    /// Whether a user who writes this means the other, too: `downstream` means all of them, and of
    /// a place any whole word is enough, for a lock's is long.
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
