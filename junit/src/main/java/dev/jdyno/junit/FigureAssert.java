package dev.jdyno.junit;

import java.util.Locale;
import java.util.Optional;
import org.opentest4j.AssertionFailedError;

/// Limits for one measured figure. The measured value decides; the message of a failure also
/// contains its interval.
///
/// @param <A> the assertions that it belongs to
public final class FigureAssert<A> {
    private final A owner;
    private final Measured figure;

    /// @param name name of the figure, such as `rate under p99<100ms`
    /// @param at the load of the measurement, for the end of a sentence: ` with 8 in flight`
    /// @param where location of the report
    record Measured(
            String name,
            String unit,
            Optional<Double> value,
            Optional<Interval> ci95,
            String at,
            String where) {}

    FigureAssert(A owner, Measured figure) {
        this.owner = owner;
        this.figure = figure;
    }

    /// Fails when the figure is less.
    public A isAtLeast(double min) {
        return checked("at least", min, value() >= min);
    }

    /// Fails when the figure is more.
    public A isAtMost(double max) {
        return checked("at most", max, value() <= max);
    }

    private double value() {
        return figure.value.orElseThrow(() ->
                new AssertionFailedError(
                        figure.name + " was not measured" + figure.at + "\n  " + figure.where));
    }

    private A checked(String relation, double limit, boolean good) {
        if (good) {
            return owner;
        }
        double value = value();
        throw new AssertionFailedError(
                figure.name
                        + ": expected "
                        + relation
                        + " "
                        + number(limit)
                        + " "
                        + figure.unit
                        + ", measured "
                        + number(value)
                        + figure.ci95
                                .map(i ->
                                        " (95 %: " + number(i.lo()) + " to " + number(i.hi()) + ")")
                                .orElse("")
                        + figure.at
                        + "\n  "
                        + figure.where,
                relation + " " + number(limit),
                number(value));
    }

    private static String number(double value) {
        return Math.abs(value) >= 100
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.3g", value);
    }
}
