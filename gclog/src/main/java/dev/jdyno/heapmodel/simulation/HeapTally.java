package dev.jdyno.heapmodel.simulation;

/// What a simulated heap has done so far.
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

    /// Copied by young collections, to survivor spaces and into old; 1 at least.
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
