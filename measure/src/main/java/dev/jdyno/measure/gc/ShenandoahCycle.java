package dev.jdyno.measure.gc;

/// One cycle of Shenandoah without generations that ran to its end: what the lines of `-Xlog:gc*`
/// say of it.
///
/// @param startS uptime in seconds
/// @param seconds from its begin to its end
/// @param liveBytes what the cycles before found alive, on average
/// @param freeBytes for the application when marking began
/// @param freeAfterBytes the same at its end
/// @param freedAtOnceBytes in regions without anything alive
/// @param freedBytes garbage in regions that it emptied by copying what was alive
public record ShenandoahCycle(
        double startS,
        double seconds,
        double liveBytes,
        double freeBytes,
        double freeAfterBytes,
        double freedAtOnceBytes,
        double freedBytes) {
    /// Of one log the first so many are kept, which is some minutes to hours: what follows is taken
    /// to go on like them.
    public static final int KEPT = 1 << 12;

    public double endS() {
        return startS + seconds;
    }

    /// By the application while it ran.
    public double allocated() {
        return Math.max(0, freeBytes + freedAtOnceBytes + freedBytes - freeAfterBytes);
    }
}
