package dev.jdyno.load.hpack;

/// A header block that breaks RFC 7541. The connection cannot go on after it: both sides' tables
/// differ from there.
public final class HpackMalformed extends Exception {
    private static final long serialVersionUID = 1L;

    HpackMalformed(String why) {
        super(why, null, false, false);
    }
}
