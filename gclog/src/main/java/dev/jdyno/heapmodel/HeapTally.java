package dev.jdyno.heapmodel;

/// What a simulated heap has done so far.
final class HeapTally {
    private int youngGcs;
    private int fullGcs;
    private long promotedBytes;
    private long directBytes;
    private long copiedBytes;
    private double youngSeconds;
    private double fullSeconds;

    void young(double pauseSeconds, long promoted, long copied) {
        youngGcs++;
        youngSeconds += pauseSeconds;
        promotedBytes += promoted;
        copiedBytes += copied;
    }

    /// A young collection that HotSpot counts and breaks off before it copies anything.
    void youngRefused() {
        youngGcs++;
    }

    void full(double pauseSeconds) {
        fullGcs++;
        fullSeconds += pauseSeconds;
    }

    /// Objects that went into the old generation without ever being young.
    void direct(long bytes) {
        directBytes += bytes;
    }

    int youngGcs() {
        return youngGcs;
    }

    int fullGcs() {
        return fullGcs;
    }

    long promotedBytes() {
        return promotedBytes;
    }

    long directBytes() {
        return directBytes;
    }

    long copiedBytes() {
        return copiedBytes;
    }

    /// Copied by young collections, to survivor spaces and into old; 1 at least.
    double movedBytes() {
        return Math.max(1, (double) copiedBytes + promotedBytes);
    }

    double youngSeconds() {
        return youngSeconds;
    }

    double fullSeconds() {
        return fullSeconds;
    }

    double gcSeconds() {
        return youngSeconds + fullSeconds;
    }
}
