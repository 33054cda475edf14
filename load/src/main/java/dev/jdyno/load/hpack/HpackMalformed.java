package dev.jdyno.load.hpack;

import dev.jdyno.measure.load.FailureReason;

/// A header block that breaks RFC 7541. The connection cannot go on after it: both sides' tables
/// differ from there.
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
