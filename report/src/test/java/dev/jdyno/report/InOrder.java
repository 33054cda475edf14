package dev.jdyno.report;

import java.util.List;
import org.assertj.core.api.Condition;

/// Asserts that texts follow one another in a page. AssertJ's `containsSubsequence` takes 10 s for
/// a page with charts, because it searches every part again from each position.
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
