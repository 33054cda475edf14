package dev.jdyno.measure.text;

/// Counts the ways in which the parts of a regular expression match without reading a character. At
/// the end of a text a matcher tries all of these ways, and no read of a character counts them.
/// Example: `(?:x*|y*)` 40 times in a row has 2⁴⁰ ways.
///
/// The number is an upper bound. The numbers of successive parts are multiplied. After a part that
/// must read a character, a new product begins.
final class EmptyPaths {
    private static final long MAX = Integer.MAX_VALUE;

    private final String expression;
    private final boolean comments;
    private int at;

    private EmptyPaths(String expression) {
        this.expression = expression;
        this.comments = expression.matches("(?s).*\\(\\?[a-zA-Z]*x.*");
    }

    /// @param empty number of ways to match without reading a character
    /// @param after number of ways to continue after the last character that the part reads
    /// @param tried number of paths that are tried in the part
    private record Ways(long empty, long after, long tried) {
        static final Ways READS = new Ways(0, 1, 1);
        static final Ways PASSES = new Ways(1, 0, 1);

        Ways then(Ways next) {
            return new Ways(
                    times(empty, next.empty),
                    plus(times(after, next.empty), next.after),
                    plus(tried, times(Math.max(1, plus(empty, after)), next.tried)));
        }

        Ways or(Ways other) {
            return new Ways(
                    plus(empty, other.empty), plus(after, other.after), plus(tried, other.tried));
        }

        Ways orNothing() {
            return new Ways(plus(empty, 1), after, tried);
        }

        Ways repeated(long max, boolean mayBeNone) {
            Ways all = this;
            // with two or more ways each, some dozens of repetitions exceed any limit
            for (long i = 1; i < Math.min(max, 64); i++) {
                all = all.then(this);
            }
            return mayBeNone ? all.orNothing() : all;
        }

        private static long plus(long a, long b) {
            return Math.min(MAX, a + b);
        }

        private static long times(long a, long b) {
            return Math.min(MAX, a * b);
        }
    }

    /// Number of paths that are tried at the end of a text, at most {@link Integer#MAX_VALUE}.
    static long of(String expression) {
        var paths = new EmptyPaths(expression);
        Ways all = paths.alternatives();
        while (paths.at < expression.length()) {
            // an unmatched closing bracket, which the compiler refuses
            paths.at++;
            all = all.then(paths.alternatives());
        }
        return all.tried;
    }

    private Ways alternatives() {
        Ways all = sequence();
        while (at < expression.length() && expression.charAt(at) == '|') {
            at++;
            all = all.or(sequence());
        }
        return all;
    }

    private Ways sequence() {
        Ways all = Ways.PASSES;
        while (at < expression.length() && ")|".indexOf(expression.charAt(at)) < 0) {
            all = all.then(quantified(part()));
        }
        return all;
    }

    private Ways part() {
        char c = expression.charAt(at);
        return switch (c) {
            case '\\' -> escape();
            case '(' -> group();
            case '[' -> {
                at = BoundedMatch.classEnd(expression, at);
                yield Ways.READS;
            }
            case '^', '$' -> {
                at++;
                yield Ways.PASSES;
            }
            default -> {
                at++;
                if (comments && c == '#') {
                    int end = expression.indexOf('\n', at);
                    at = end < 0 ? expression.length() : end + 1;
                }
                boolean isComment = comments && (c == '#' || Character.isWhitespace(c));
                yield isComment ? Ways.PASSES : Ways.READS;
            }
        };
    }

    /// Reads an escape. `\Q\E` is empty, and a back reference may refer to an empty group.
    private Ways escape() {
        int from = at;
        at = BoundedMatch.escapeEnd(expression, at);
        char kind = from + 1 < expression.length() ? expression.charAt(from + 1) : ' ';
        boolean passes =
                "AbBGzZk123456789".indexOf(kind) >= 0 || expression.startsWith("\\Q\\E", from);
        return passes ? Ways.PASSES : Ways.READS;
    }

    /// Reads a group: `(…)`, `(?:…)`, `(?i)`, `(?<name>…)`, or a lookahead or lookbehind, which
    /// consumes nothing.
    private Ways group() {
        boolean looks = expression.startsWith("(?=", at) || expression.startsWith("(?!", at);
        looks |= expression.startsWith("(?<=", at) || expression.startsWith("(?<!", at);
        at++;
        if (at < expression.length() && expression.charAt(at) == '?') {
            at++;
            while (at < expression.length() && ":=!>)".indexOf(expression.charAt(at)) < 0) {
                at++;
            }
            at += at < expression.length() && expression.charAt(at) != ')' ? 1 : 0;
        }
        Ways inner = alternatives();
        at = Math.min(expression.length(), at + 1);
        return looks ? new Ways(1, 0, inner.tried()) : inner;
    }

    private Ways quantified(Ways part) {
        Ways all = part;
        boolean more = true;
        while (more && at < expression.length()) {
            switch (expression.charAt(at)) {
                case '*', '?' -> {
                    all = all.orNothing();
                    at++;
                }
                case '+' -> at++;
                case '{' -> {
                    boolean mayBeNone = expression.startsWith("{0", at);
                    all = all.repeated(BoundedMatch.times(expression, at + 1), mayBeNone);
                    int close = expression.indexOf('}', at);
                    at = close < 0 ? expression.length() : close + 1;
                }
                default -> more = false;
            }
        }
        return all;
    }
}
