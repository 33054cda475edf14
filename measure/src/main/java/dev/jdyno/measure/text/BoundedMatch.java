package dev.jdyno.measure.text;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Applies a user's regular expression to a text that a peer sent. Backtracking can take
/// practically forever. So the search ends after a limited number of steps for every expression and
/// text.
///
/// A step is one read of a character. {@link #requireModest} refuses expressions in which too many
/// repetitions or alternatives read no character.
public final class BoundedMatch {
    /// Minimum number of steps that a search may take. A step takes some nanoseconds, so this is
    /// some milliseconds.
    static final long MIN_STEPS = 1_000_000;

    /// Additional steps per character of a long text: how often an expression may return to each
    /// character. For 10 MB these are 200 million steps, about a second.
    static final long STEPS_A_CHARACTER = 20;

    /// Maximum product of nested counted repetitions: `((a{99}){99}){99}` is refused.
    static final long MAX_REPETITIONS = 1_000_000;

    private BoundedMatch() {}

    /// The limit that ended a search before a result was known.
    public enum Limit {
        /// The search takes more steps than allowed for a text of this length.
        STEPS,
        /// A repeated group recurses for each repetition, deeper than the stack allows.
        DEPTH
    }

    /// The outcome of a search.
    ///
    /// @param text the first group of the first match, or the whole match if the expression has no
    ///   group; empty if nothing matches
    /// @param ended the limit that ended it; empty if the search completed
    public record First(Optional<String> text, Optional<Limit> ended) {
        private static First by(Limit limit) {
            return new First(Optional.empty(), Optional.of(limit));
        }
    }

    /// Searches for the first match.
    public static First first(Pattern pattern, String text) {
        try {
            Matcher m = pattern.matcher(new Counted(text, new Steps(text.length())));
            return new First(
                    m.find()
                            ? Optional.ofNullable(m.groupCount() > 0 ? m.group(1) : m.group())
                            : Optional.empty(),
                    Optional.empty());
        } catch (Steps.Ended endless) {
            return First.by(Limit.STEPS);
        } catch (StackOverflowError deep) {
            return First.by(Limit.DEPTH);
        }
    }

    /// @throws IllegalArgumentException when counted repetitions, or alternatives that match
    ///   without reading a character, multiply to more than a sensible expression needs
    public static void requireModest(String expression) {
        if (repetitions(expression) > MAX_REPETITIONS) {
            throw new IllegalArgumentException(
                    "an expression whose repetitions come to more than " + MAX_REPETITIONS);
        }
        if (EmptyPaths.of(expression) > MAX_REPETITIONS) {
            throw new IllegalArgumentException(
                    "an expression that matches nothing in more than "
                            + MAX_REPETITIONS
                            + " ways, such as (x*|y*) many times");
        }
    }

    /// Number of nodes that a matcher passes if each counted repetition runs to its maximum.
    private static long repetitions(String expression) {
        Deque<Long> outer = new ArrayDeque<>();
        long sum = 0;
        long last = 0;
        int i = 0;
        while (i < expression.length()) {
            char c = expression.charAt(i);
            int next = i + 1;
            switch (c) {
                case '\\' -> {
                    next = escapeEnd(expression, i);
                    last = (long) next - i;
                    sum = plus(sum, last);
                }
                case '[' -> {
                    next = classEnd(expression, i);
                    last = 1;
                    sum = plus(sum, last);
                }
                case '(' -> {
                    outer.push(sum);
                    sum = 0;
                    last = 0;
                }
                case ')' -> {
                    last = Math.max(1, sum);
                    sum = plus(outer.isEmpty() ? 0 : outer.pop(), last);
                }
                case '{' -> {
                    long times = times(expression, next);
                    long repeated = times(last, Math.max(1, times));
                    sum = plus(sum - last, repeated);
                    last = repeated;
                    int close = expression.indexOf('}', i);
                    next = close < 0 ? expression.length() : close + 1;
                }
                case '*', '+', '?', '|', '^', '$' -> {
                    // no nodes are added: the repeated parts read characters, which count as steps,
                    // or are passed once
                }
                default -> {
                    last = 1;
                    sum = plus(sum, last);
                }
            }
            i = next;
        }
        while (!outer.isEmpty()) {
            sum = plus(sum, outer.pop());
        }
        return sum;
    }

    private static long plus(long a, long b) {
        return Math.min(Integer.MAX_VALUE, a + b);
    }

    private static long times(long a, long b) {
        return Math.min(Integer.MAX_VALUE, a * b);
    }

    /// The largest number in `{n}`, `{n,}` or `{n,m}`.
    static long times(String expression, int from) {
        long max = 0;
        long number = 0;
        for (int i = from; i < expression.length() && expression.charAt(i) != '}'; i++) {
            int digit = Character.digit(expression.charAt(i), 10);
            number = digit < 0 ? 0 : plus(number * 10, digit);
            max = Math.max(max, number);
        }
        return max;
    }

    /// Index after an escape: `\Q…\E`, `\p{L}`, `\x{1F600}`, `\d`.
    static int escapeEnd(String expression, int from) {
        if (expression.startsWith("\\Q", from)) {
            int end = expression.indexOf("\\E", from);
            return end < 0 ? expression.length() : end + 2;
        }
        boolean braced =
                from + 2 < expression.length()
                        && expression.charAt(from + 2) == '{'
                        && "pPxNk".indexOf(expression.charAt(from + 1)) >= 0;
        if (braced) {
            int end = expression.indexOf('}', from);
            return end < 0 ? expression.length() : end + 1;
        }
        return Math.min(expression.length(), from + 2);
    }

    /// Index after the end of the character class that begins here; classes may contain classes.
    static int classEnd(String expression, int from) {
        int depth = 0;
        int i = from;
        while (i < expression.length()) {
            switch (expression.charAt(i)) {
                case '\\' -> i = escapeEnd(expression, i) - 1;
                case '[' -> depth++;
                case ']' -> depth--;
                default -> {
                    // an ordinary character of the class
                }
            }
            i++;
            if (depth == 0) {
                return i;
            }
        }
        return i;
    }

    private static final class Steps {
        private long left;

        Steps(int characters) {
            left = MIN_STEPS + STEPS_A_CHARACTER * characters;
        }

        void one() {
            if (--left < 0) {
                throw new Ended();
            }
        }

        private static final class Ended extends RuntimeException {
            Ended() {
                super("too many steps", null, false, false);
            }
        }
    }

    private record Counted(String text, Steps steps) implements CharSequence {
        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            steps.one();
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.substring(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
