package dev.jdyno.measure.watch;

/// The lines of day files that are in no figure.
///
/// @param damaged number of lines that cannot be read, or do not belong into their file
/// @param leftOut number of lines above the maximum of a file
public record SkippedLines(long damaged, long leftOut) {
    public static final SkippedLines NONE = new SkippedLines(0, 0);

    public SkippedLines plus(SkippedLines more) {
        return new SkippedLines(damaged + more.damaged, leftOut + more.leftOut);
    }
}
