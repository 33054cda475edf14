package dev.jdyno.load.wire;

/// Receives what happened on a wire.
public interface WireOwner {
    /// The poller says that the wire connected, has something to read, can take more, or ended.
    void onReady();
}
