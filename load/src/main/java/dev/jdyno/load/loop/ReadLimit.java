package dev.jdyno.load.loop;

/// How much a slow client may read now: a budget in bytes that fills with time, up to what one sip
/// takes (E26).
public final class ReadLimit {
    /// A slow client reads this often; the kernel's receive buffer fills in between and closes its
    /// window, which is what the server feels.
    private static final double SIP_NANOS = 20_000_000;

    private final double bytesPerNano;
    private final double sipBytes;
    private double room;
    private long filledAt;

    public ReadLimit(long bytesPerSecond, long now) {
        bytesPerNano = bytesPerSecond / 1e9;
        sipBytes = Math.max(1, bytesPerNano * SIP_NANOS);
        room = sipBytes;
        filledAt = now;
    }

    /// Bytes that may be read now.
    public int room(long now) {
        room = Math.min(sipBytes, room + (now - filledAt) * bytesPerNano);
        filledAt = now;
        return (int) room;
    }

    public void took(int bytes) {
        room -= bytes;
    }

    /// When there is room for a whole sip again.
    public long nextSip() {
        return filledAt + (long) Math.ceil((sipBytes - room) / bytesPerNano);
    }
}
