package dev.jdyno.measure.gc;

/// One completed cycle of Shenandoah without generations, from the lines of `-Xlog:gc*`.
///
/// @param startS uptime in seconds
/// @param seconds duration of the cycle
/// @param liveBytes mean live bytes that earlier cycles found
/// @param freeBytes bytes free for the application when marking began
/// @param freeAfterBytes bytes free for the application at the end of the cycle
/// @param freedAtOnceBytes garbage in regions without live objects
/// @param freedBytes garbage in regions that the cycle emptied by copying their live objects
public record ShenandoahCycle(
        double startS,
        double seconds,
        double liveBytes,
        double freeBytes,
        double freeAfterBytes,
        double freedAtOnceBytes,
        double freedBytes) {
    /// Maximum number of cycles that are kept from one log. They cover some minutes to hours; later
    /// cycles are assumed to be similar.
    public static final int KEPT = 1 << 12;

    public double endS() {
        return startS + seconds;
    }

    /// Bytes that the application allocated during the cycle.
    public double allocated() {
        return Math.max(0, freeBytes + freedAtOnceBytes + freedBytes - freeAfterBytes);
    }
}
