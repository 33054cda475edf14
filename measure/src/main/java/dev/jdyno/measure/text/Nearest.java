package dev.jdyno.measure.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/// Finds the name that a user probably meant by a mistyped name.
public final class Nearest {
    /// Maximum number of edits between two names that count as similar.
    private static final int SIMILAR = 2;

    /// Maximum length of names that are compared. The time for the distance grows with the product
    /// of both lengths.
    private static final int LONGEST = 200;

    private Nearest() {}

    /// The known name with the fewest edits, at most two. Upper and lower case count as equal.
    public static Optional<String> of(String typed, Collection<String> known) {
        String wanted = typed.toLowerCase(Locale.ROOT);
        return known.stream()
                .filter(k -> k.length() <= LONGEST && wanted.length() <= LONGEST)
                .filter(k -> Math.abs(k.length() - wanted.length()) <= SIMILAR)
                .filter(k -> distance(lower(k), wanted) <= SIMILAR)
                .min(Comparator.comparingInt(k -> distance(lower(k), wanted)));
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    /// Levenshtein's distance.
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int above = row[j];
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                row[j] = Math.min(Math.min(row[j] + 1, row[j - 1] + 1), diagonal + change);
                diagonal = above;
            }
        }
        return row[b.length()];
    }
}
