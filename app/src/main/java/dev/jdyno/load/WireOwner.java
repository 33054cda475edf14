package dev.jdyno.load;

/// Who is told that something happened on a wire.
interface WireOwner {
    /// The poller says that the wire connected, has something to read, can take more, or ended.
    void onReady();
}
