package dev.jdyno.load.reply;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// The head and body of one reply, kept for checks and for values taken from it. Other replies are
/// not kept.
public final class ReplyText {
    /// Maximum number of body bytes that are kept. A check that needs later bytes fails.
    private static final int MAX_BODY_BYTES = 4 << 20;

    private final boolean headOnly;
    private byte[] head = new byte[512];
    private int headLength;
    private byte[] body = new byte[4096];
    private int bodyLength;
    private long bodyBytes;

    public ReplyText() {
        this(false);
    }

    private ReplyText(boolean headOnly) {
        this.headOnly = headOnly;
    }

    /// Creates a text that stores only the head.
    public static ReplyText ofHead() {
        return new ReplyText(true);
    }

    public void startHead(byte[] b, int from, int to) {
        headLength = to - from;
        bodyLength = 0;
        bodyBytes = 0;
        if (head.length < headLength) {
            head = new byte[headLength];
        }
        System.arraycopy(b, from, head, 0, headLength);
    }

    public void addBody(byte[] b, int from, int length) {
        bodyBytes += length;
        if (headOnly) {
            return;
        }
        int kept = Math.min(length, MAX_BODY_BYTES - bodyLength);
        if (bodyLength + kept > body.length) {
            body = Arrays.copyOf(body, Math.min(MAX_BODY_BYTES, 2 * (bodyLength + kept)));
        }
        System.arraycopy(b, from, body, bodyLength, kept);
        bodyLength += kept;
    }

    /// Replaces the body by another form of it.
    ///
    /// @throws IllegalArgumentException if it is longer than a body may be
    public void setBody(byte[] other) {
        if (other.length > MAX_BODY_BYTES) {
            throw new IllegalArgumentException("the message has more than 4 MiB as JSON");
        }
        body = other;
        bodyLength = other.length;
        bodyBytes = other.length;
    }

    /// Length of the body in bytes, whether it was kept or not.
    public long bodyBytes() {
        return bodyBytes;
    }

    public byte[] bodyArray() {
        return Arrays.copyOf(body, bodyLength);
    }

    public String bodyText() {
        return new String(body, 0, bodyLength, StandardCharsets.UTF_8);
    }

    public Optional<String> header(String name) {
        return Optional.ofNullable(
                ReplyHead.header(head, 0, headLength, name.toLowerCase(Locale.ROOT)));
    }
}
