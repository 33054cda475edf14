package dev.jdyno.observe.host;

/// A file name pattern with `*`, `?` and `[a-z]`, as in glob(7). The time to match grows with the
/// product of the lengths of pattern and name. The JDK's matcher is not used, because a pattern
/// with twenty stars takes it years.
public final class Glob {
    private final String pattern;

    public Glob(String pattern) {
        this.pattern = pattern;
    }

    /// True if a path is a pattern.
    static boolean isOne(String path) {
        return path.chars().anyMatch(c -> c == '*' || c == '?' || c == '[');
    }

    public boolean matches(String name) {
        int p = 0;
        int n = 0;
        // position of the last star, and the position in the name up to which it matches
        int star = -1;
        int stretched = 0;
        while (n < name.length()) {
            int behind = p < pattern.length() ? behind(p, name.charAt(n)) : -1;
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p++;
                stretched = n;
            } else if (behind > 0) {
                p = behind;
                n++;
            } else if (star >= 0) {
                p = star + 1;
                n = ++stretched;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }

    /// The position after the pattern element at `at` if it matches a character; -1 if it does not.
    private int behind(int at, char letter) {
        char c = pattern.charAt(at);
        if (c == '?') {
            return at + 1;
        }
        if (c == '[') {
            int end = pattern.indexOf(']', at + 2);
            if (end > 0) {
                return isIn(pattern.substring(at + 1, end), letter) ? end + 1 : -1;
            }
        }
        boolean escaped = c == '\\' && at + 1 < pattern.length();
        int place = escaped ? at + 1 : at;
        return pattern.charAt(place) == letter ? place + 1 : -1;
    }

    /// True if the character is in a set such as `a-z0` or `!a-z`.
    private static boolean isIn(String set, char letter) {
        boolean not = set.startsWith("!") || set.startsWith("^");
        boolean in = false;
        for (int i = not ? 1 : 0; i < set.length(); i++) {
            if (i + 2 < set.length() && set.charAt(i + 1) == '-') {
                in |= set.charAt(i) <= letter && letter <= set.charAt(i + 2);
                i += 2;
            } else {
                in |= set.charAt(i) == letter;
            }
        }
        return in != not;
    }
}
