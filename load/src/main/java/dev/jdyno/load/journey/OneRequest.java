package dev.jdyno.load.journey;

import dev.jdyno.load.reply.ReplyText;
import dev.jdyno.load.request.RequestParts;
import org.jspecify.annotations.Nullable;

/// Sends the same request again and again. A reply is good if its status is below 400.
public final class OneRequest implements Script {
    private final byte[] bytes;
    private final RequestParts parts;
    private final boolean head;
    private final int step;

    /// @param bytes the request, encoded for the session's protocol
    /// @param step number of the step for the statistics, if a session has several kinds of request
    public OneRequest(byte[] bytes, RequestParts parts, int step) {
        this.bytes = bytes;
        this.parts = parts;
        this.head = parts.isHead();
        this.step = step;
    }

    @Override
    public RequestParts parts() {
        return parts;
    }

    // returns the array itself, because a copy per request would be the largest cost
    @Override
    public byte[] next() {
        return bytes;
    }

    @Override
    public boolean isHead() {
        return head;
    }

    @Override
    public @Nullable ReplyText reply() {
        return null;
    }

    @Override
    public int step() {
        return step;
    }

    @Override
    public Judgement judge(int status) {
        return Judgement.isGood(status) ? Judgement.GOOD : Judgement.BAD_STATUS;
    }

    @Override
    public void failed() {}
}
