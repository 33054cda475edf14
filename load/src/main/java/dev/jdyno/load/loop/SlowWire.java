package dev.jdyno.load.loop;

import dev.jdyno.load.wire.Progress;
import dev.jdyno.load.wire.SocketFailure;
import dev.jdyno.load.wire.Wire;
import dev.jdyno.load.wire.WireOwner;

/// The wire of a slow client. It reads as much as its {@link ReadLimit} allows and leaves the rest
/// in the kernel, so that the server has to wait. It schedules its next read itself, because the
/// poller reports readiness only once.
final class SlowWire implements Wire {
    private final Wire wire;
    private final EventLoop loop;
    private final WireOwner owner;
    private final ReadLimit limit;
    private boolean cutShort;
    private boolean sleeping;
    private boolean closed;

    SlowWire(Wire wire, EventLoop loop, WireOwner owner, long bytesPerSecond) {
        this.wire = wire;
        this.loop = loop;
        this.owner = owner;
        this.limit = new ReadLimit(bytesPerSecond, loop.now);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws SocketFailure {
        int allowance = Math.min(length, limit.allowance(loop.tick()));
        cutShort = allowance < length;
        if (allowance == 0) {
            cutShort = false;
            if (!sleeping) {
                sleeping = true;
                loop.waiting.add(limit.nextSip(), this);
            }
            return 0;
        }
        int n = wire.read(into, offset, allowance);
        limit.took(Math.max(0, n));
        return n;
    }

    /// Called when the next read is due.
    void wake() {
        sleeping = false;
        if (!closed) {
            owner.onReady();
        }
    }

    @Override
    public boolean mustReadOn() {
        return cutShort || wire.mustReadOn();
    }

    @Override
    public int write(byte[] from, int offset, int length) throws SocketFailure {
        return wire.write(from, offset, length);
    }

    @Override
    public Progress finishConnect() throws SocketFailure {
        return wire.finishConnect();
    }

    @Override
    public boolean isEnding() {
        return wire.isEnding();
    }

    @Override
    public boolean hasUnsent() {
        return wire.hasUnsent();
    }

    @Override
    public void close() {
        closed = true;
        wire.close();
    }
}
