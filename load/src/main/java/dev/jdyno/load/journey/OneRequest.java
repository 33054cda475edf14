package dev.jdyno.load.journey;

import dev.jdyno.load.reply.ReplyText;
import dev.jdyno.load.request.RequestParts;
import org.jspecify.annotations.Nullable;

/// The same request for ever; good when its status is below 400.
public final class OneRequest implements Script {
    private final byte[] bytes;
    private final RequestParts parts;
    private final boolean head;
    private final int step;

    /// @param bytes the parts as the session's protocol sends them
    /// @param step under which its statistics are kept, where there are several kinds
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

    // the array goes to the kernel as it is; a copy per request would be the largest cost of all
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
