package dev.jdyno.measure.gc;

/// One completed cycle of Shenandoah without generations, from the lines of `-Xlog:gc*`.
///
/// @param startS uptime in seconds
/// @param seconds from its begin to its end
/// @param liveBytes mean live bytes found by the cycles before
/// @param freeBytes free for the application when marking began
/// @param freeAfterBytes free for the application at its end
/// @param freedAtOnceBytes in regions without live objects
/// @param freedBytes garbage in regions that it emptied by copying the live objects
public record ShenandoahCycle(
        double startS,
        double seconds,
        double liveBytes,
        double freeBytes,
        double freeAfterBytes,
        double freedAtOnceBytes,
        double freedBytes) {
    /// Maximum number of cycles kept from one log, which is some minutes to hours. Later cycles are
    /// assumed to be like them.
    public static final int KEPT = 1 << 12;

    public double endS() {
        return startS + seconds;
    }

    /// Bytes that the application allocated during the cycle.
    public double allocated() {
        return Math.max(0, freeBytes + freedAtOnceBytes + freedBytes - freeAfterBytes);
    }
}
