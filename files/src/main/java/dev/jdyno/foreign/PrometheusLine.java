package dev.jdyno.foreign;

import dev.jdyno.foreign.PrometheusText.Limits;
import dev.jdyno.foreign.PrometheusText.Sample;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// One sample of the text format: `name{label="value"} 1.5 1700000000 # {trace_id="7"} 0.2`. The
/// name may be in quotes as the first entry of the braces.
final class PrometheusLine {
    private static final Pattern NUMBER =
            Pattern.compile(
                    "[+-]?(?:\\d{1,30}(?:\\.\\d{0,30})?|\\.\\d{1,30})(?:[eE][+-]?\\d{1,3})?");

    private final String text;
    private final int number;
    private final Limits limits;
    private int at;

    /// @param text without blanks at its ends
    /// @param number line number, from 1
    PrometheusLine(String text, int number, Limits limits) {
        this.text = text;
        this.number = number;
        this.limits = limits;
    }

    Sample sample() throws Malformed {
        String name = word();
        Map<String, String> labels = new HashMap<>();
        blanks();
        if (peek() == '{') {
            Optional<String> quoted = labels(labels);
            if (name.isEmpty() == quoted.isEmpty()) {
                throw wrong("a sample has one name");
            }
            name = quoted.orElse(name);
        }
        if (name.isEmpty()) {
            throw wrong("a sample without a name");
        }
        blanks();
        double value = value(token());
        blanks();
        if (peek() != '#' && at < text.length()) {
            value(token());
            blanks();
        }
        if (peek() == '#') {
            exemplar();
        }
        if (at < text.length()) {
            throw wrong("text after the value");
        }
        return new Sample(name, labels, value);
    }

    private void exemplar() throws Malformed {
        at++;
        blanks();
        if (peek() != '{') {
            throw wrong("an exemplar without labels");
        }
        labels(new HashMap<>());
        blanks();
        value(token());
        blanks();
        if (at < text.length()) {
            value(token());
            blanks();
        }
    }

    /// Reads the braces into `labels`.
    ///
    /// @return the name of the sample, if it is in the braces
    private Optional<String> labels(Map<String, String> labels) throws Malformed {
        Optional<String> name = Optional.empty();
        at++;
        blanks();
        while (peek() != '}') {
            boolean quoted = peek() == '"';
            String key = quoted ? quoted() : word();
            blanks();
            if (peek() == '=') {
                at++;
                blanks();
                if (peek() != '"') {
                    throw wrong("the value of a label is not in quotes");
                }
                if (key.isEmpty() || labels.put(key, quoted()) != null) {
                    throw wrong("a label without a name, or the same one twice");
                }
            } else if (quoted && name.isEmpty() && labels.isEmpty()) {
                name = Optional.of(key);
            } else {
                throw wrong("a label without a value");
            }
            if (labels.size() > limits.labels()) {
                throw wrong("too many labels");
            }
            blanks();
            if (peek() == ',') {
                at++;
                blanks();
            } else if (peek() != '}') {
                throw wrong("labels are not closed");
            }
        }
        at++;
        return name;
    }

    private String quoted() throws Malformed {
        var value = new StringBuilder();
        at++;
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return value.toString();
            }
            if (c == '\\') {
                value.append(
                        switch (peek()) {
                            case 'n' -> '\n';
                            case '"' -> '"';
                            case '\\' -> '\\';
                            default -> throw wrong("not an escape of the format");
                        });
                at++;
            } else {
                value.append(c);
            }
            if (value.length() > limits.letters()) {
                throw wrong("a text is too long");
            }
        }
        throw wrong("quotes are not closed");
    }

    /// Returns a name without quotes; empty if there is none.
    private String word() throws Malformed {
        int from = at;
        while (at < text.length() && isOfName(text.charAt(at), at == from)) {
            at++;
        }
        if (at - from > limits.letters()) {
            throw wrong("a name is too long");
        }
        return text.substring(from, at);
    }

    private static boolean isOfName(char c, boolean first) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || c == '_'
                || c == ':'
                || (!first && c >= '0' && c <= '9');
    }

    private String token() {
        int from = at;
        while (at < text.length() && text.charAt(at) != ' ' && text.charAt(at) != '\t') {
            at++;
        }
        return text.substring(from, at);
    }

    private double value(String token) throws Malformed {
        if (NUMBER.matcher(token).matches()) {
            return Double.parseDouble(token);
        }
        return switch (token.toLowerCase(Locale.ROOT)) {
            case "nan" -> Double.NaN;
            case "inf", "+inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            default -> throw wrong("a value is no number");
        };
    }

    private void blanks() {
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
            at++;
        }
    }

    /// The next character; 0 at the end.
    private char peek() {
        return at < text.length() ? text.charAt(at) : 0;
    }

    private Malformed wrong(String kind) {
        return Malformed.at(number, kind);
    }
}
