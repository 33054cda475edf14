package dev.jdyno.load.request;

/// The connections that read slowly, like phones on a bad network (experiment E26).
///
/// @param share share of the connections that send requests, 0…1
/// @param readBytesPerSecond maximum read rate of each; 0: no limit
/// @param receiveBufferBytes SO_RCVBUF of each, which the kernel doubles; 0: the system's choice
public record SlowClients(double share, long readBytesPerSecond, int receiveBufferBytes) {
    public static final SlowClients NONE = new SlowClients(0, 0, 0);

    public SlowClients {
        if (!(share >= 0 && share <= 1) || readBytesPerSecond < 0 || receiveBufferBytes < 0) {
            throw new IllegalArgumentException("a share of 0…1 and sizes ≥ 0 are needed");
        }
    }

    /// True if the `i`-th sending connection of a loop is slow. The slow ones are spread evenly.
    public boolean isSlow(int i) {
        return Math.floor((i + 1) * share) > Math.floor(i * share);
    }

    /// True if slow and other connections exist, so that the result must distinguish them.
    public boolean areSome() {
        return share > 0 && share < 1;
    }
}
