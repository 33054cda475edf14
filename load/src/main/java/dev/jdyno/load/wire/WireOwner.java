package dev.jdyno.load.wire;

/// Is notified of events on a wire.
public interface WireOwner {
    /// Called when the wire is connected, has bytes to read, accepts more bytes, or has ended.
    void onReady();
}
