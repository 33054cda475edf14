package dev.jdyno.load.request;

/// The connections that read slowly, as phones on a bad network do (E26).
///
/// @param share of the connections that send requests, 0…1
/// @param readBytesPerSecond each reads no more than this; 0: no limit
/// @param receiveBufferBytes SO_RCVBUF of each, which the kernel doubles; 0: the system's choice
public record SlowClients(double share, long readBytesPerSecond, int receiveBufferBytes) {
    public static final SlowClients NONE = new SlowClients(0, 0, 0);

    public SlowClients {
        if (!(share >= 0 && share <= 1) || readBytesPerSecond < 0 || receiveBufferBytes < 0) {
            throw new IllegalArgumentException("a share of 0…1 and sizes ≥ 0 are needed");
        }
    }

    /// Whether the `i`-th sending connection of a loop is slow: the share is spread evenly.
    public boolean isSlow(int i) {
        return Math.floor((i + 1) * share) > Math.floor(i * share);
    }

    /// Whether there are slow and other connections, to be distinguished in the result.
    public boolean areSome() {
        return share > 0 && share < 1;
    }
}
