package dev.jdyno.load.loop;

/// The number of bytes that a slow client may read now (experiment E26). It is a budget that grows
/// with time, up to the size of one read.
public final class ReadLimit {
    /// Interval between the reads of a slow client. Meanwhile the kernel's receive buffer fills and
    /// closes its window, which the server notices.
    private static final double SIP_NANOS = 20_000_000;

    private final double bytesPerNano;
    private final double sipBytes;
    private double allowance;
    private long filledAt;

    public ReadLimit(long bytesPerSecond, long now) {
        bytesPerNano = bytesPerSecond / 1e9;
        sipBytes = Math.max(1, bytesPerNano * SIP_NANOS);
        allowance = sipBytes;
        filledAt = now;
    }

    /// Number of bytes that may be read now.
    public int allowance(long now) {
        allowance = Math.min(sipBytes, allowance + (now - filledAt) * bytesPerNano);
        filledAt = now;
        return (int) allowance;
    }

    public void took(int bytes) {
        allowance -= bytes;
    }

    /// Time at which the budget allows a whole read again.
    public long nextSip() {
        return filledAt + (long) Math.ceil((sipBytes - allowance) / bytesPerNano);
    }
}
