package dev.jdyno.report;

import java.util.List;
import org.assertj.core.api.Condition;

/// Texts that follow one another in a page. AssertJ's own `containsSubsequence` takes 10 s for a
/// page with its charts: it looks for every part again from each place.
public final class InOrder {
    private InOrder() {}

    public static Condition<CharSequence> of(String... parts) {
        return new Condition<>(
                text -> holds(text.toString(), parts), "in order: %s", List.of(parts));
    }

    private static boolean holds(String text, String... parts) {
        int from = 0;
        for (String part : parts) {
            int at = text.indexOf(part, from);
            if (at < 0) {
                return false;
            }
            from = at + part.length();
        }
        return true;
    }
}
