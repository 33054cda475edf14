package dev.jdyno.plan;

import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.text.Secrets;
import java.time.Duration;
import java.util.Locale;
import java.util.function.UnaryOperator;

/// Writes the keys of a plan as YAML. Secrets are masked, and values from environment variables are
/// written as references, as in the plan's file.
final class PlanPen {
    private static final String MASKED =
            """
            # Secrets in this plan are masked: each *** stands for a value that was sent or used.
            # Put the values back to run it again; ${NAME} takes one from an environment variable.
            """;

    private final StringBuilder lines = new StringBuilder();
    private final Written written;
    private int masked;

    PlanPen(Written written) {
        this.written = written;
    }

    /// The whole plan.
    @Override
    public String toString() {
        return (masked > 0 ? MASKED : "") + lines;
    }

    /// The plan without the comment at its top.
    String lines() {
        return lines.toString();
    }

    /// Number of masked values.
    int masked() {
        return masked;
    }

    PlanPen line(String key, String value) {
        lines.append(key).append(": ").append(value).append('\n');
        return this;
    }

    void raw(String text) {
        lines.append(text);
    }

    /// A text in quotes.
    ///
    /// @param key path of the key in the plan
    /// @param value in the plan
    String text(String key, Object value, UnaryOperator<String> mask) {
        return quoted(
                shown(
                        written.text(key, value)
                                .orElseGet(() -> Variables.escaped(value.toString())),
                        mask));
    }

    String text(String key, Object value) {
        return text(key, value, Secrets::text);
    }

    /// A quoted text with placeholders that the load engine fills.
    String template(String key, String value, UnaryOperator<String> mask) {
        return quoted(shown(written.text(key, value).orElse(value), mask));
    }

    /// A number, a time or a similar value, written as `plain` unless it came from a variable.
    String scalar(String key, Object value, String plain) {
        return written.text(key, value).map(PlanPen::quoted).orElse(plain);
    }

    String scalar(String key, Object value) {
        return scalar(key, value, value.toString());
    }

    String time(String key, Duration value) {
        return scalar(key, value, exact(value));
    }

    private String shown(String text, UnaryOperator<String> mask) {
        String shown = mask.apply(text);
        if (!shown.equals(text)) {
            masked++;
        }
        return shown;
    }

    /// The exact duration; {@link dev.jdyno.measure.text.Durations#format} rounds for readers.
    private static String exact(Duration d) {
        return d.toNanos() % 1_000_000 == 0 ? d.toMillis() + "ms" : d.toNanos() + "ns";
    }

    private static String quoted(String text) {
        var quoted = new StringBuilder("\"");
        text.codePoints().forEach(c -> quoted.append(escaped(c)));
        return quoted.append('"').toString();
    }

    /// A character as YAML writes it in double quotes; a control character by its number.
    private static String escaped(int c) {
        return switch (c) {
            case '\\' -> "\\\\";
            case '"' -> "\\\"";
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default ->
                    Printable.isObeyed(c)
                            ? String.format(Locale.ROOT, c > 0xffff ? "\\U%08x" : "\\u%04x", c)
                            : Character.toString(c);
        };
    }
}
