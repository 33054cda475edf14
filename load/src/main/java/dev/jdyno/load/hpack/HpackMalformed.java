package dev.jdyno.load.hpack;

import dev.jdyno.measure.load.FailureReason;

/// A header block violates RFC 7541. The connection cannot be used afterwards, because the header
/// tables of client and server differ from then on.
public final class HpackMalformed extends Exception {
    private static final long serialVersionUID = 1L;

    private final FailureReason reason;

    HpackMalformed(String why) {
        this(FailureReason.HEADER_COMPRESSION_BROKEN, why);
    }

    public HpackMalformed(FailureReason reason, String why) {
        super(why, null, false, false);
        this.reason = reason;
    }

    public FailureReason reason() {
        return reason;
    }
}
