package dev.jdyno.heapmodel.simulation;

/// Counts of a simulated heap's collections and bytes so far.
public final class HeapTally {
    private int youngGcs;
    private int fullGcs;
    private long promotedBytes;
    private long directBytes;
    private long copiedBytes;
    private double youngSeconds;
    private double fullSeconds;

    public void young(double pauseSeconds, long promoted, long copied) {
        youngGcs++;
        youngSeconds += pauseSeconds;
        promotedBytes += promoted;
        copiedBytes += copied;
    }

    /// Counts a young collection that HotSpot aborts before it copies any object.
    void youngRefused() {
        youngGcs++;
    }

    void full(double pauseSeconds) {
        fullGcs++;
        fullSeconds += pauseSeconds;
    }

    /// Counts objects that were allocated in the old generation directly.
    void direct(long bytes) {
        directBytes += bytes;
    }

    public int youngGcs() {
        return youngGcs;
    }

    public int fullGcs() {
        return fullGcs;
    }

    public long promotedBytes() {
        return promotedBytes;
    }

    long directBytes() {
        return directBytes;
    }

    public long copiedBytes() {
        return copiedBytes;
    }

    /// Bytes copied by young collections, to survivor spaces and to old; at least 1.
    public double movedBytes() {
        return Math.max(1, (double) copiedBytes + promotedBytes);
    }

    public double youngSeconds() {
        return youngSeconds;
    }

    public double fullSeconds() {
        return fullSeconds;
    }

    double gcSeconds() {
        return youngSeconds + fullSeconds;
    }
}
