package dev.jdyno.series;

/// What comes and goes in a series, and is no change of its level.
public sealed interface Repeating {
    /// A value that returns after so many others, such as a load that follows the hours of a day.
    ///
    /// @param period values from one return to the next; it may have a fraction
    /// @param low mean of the lowest part of the period
    /// @param high mean of the highest part of the period
    record Season(double period, double low, double high) implements Repeating {}

    /// Two levels between which the series goes to and fro, such as those of two machines.
    ///
    /// @param low mean of the lower level
    /// @param high mean of the higher level
    /// @param atHigh values of the higher level
    /// @param switches from one level to the other
    record TwoLevels(double low, double high, int atHigh, int switches) implements Repeating {}
}
