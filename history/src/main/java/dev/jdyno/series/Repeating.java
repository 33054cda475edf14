package dev.jdyno.series;

/// A repeating pattern in a series, which is no change of its level.
public sealed interface Repeating {
    /// Values that repeat after a period, such as a load that follows the hours of a day.
    ///
    /// @param period number of values from one repetition to the next; it may have a fraction
    /// @param low mean of the lowest part of the period
    /// @param high mean of the highest part of the period
    record Season(double period, double low, double high) implements Repeating {}

    /// Two levels between which the series switches, such as those of two machines.
    ///
    /// @param low mean of the lower level
    /// @param high mean of the higher level
    /// @param atHigh number of values at the higher level
    /// @param switches number of switches between the levels
    record TwoLevels(double low, double high, int atHigh, int switches) implements Repeating {}
}
