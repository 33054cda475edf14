package dev.jdyno.heapmodel.simulation;

import java.util.ArrayList;
import java.util.List;

/// A contiguous part of the heap that is filled from its start.
final class Space {
    private long capacityBytes;
    private long usedBytes;
    private long touchedBytes;
    private List<Batch> batches = new ArrayList<>();

    Space(long capacityBytes) {
        this.capacityBytes = capacityBytes;
    }

    long capacityBytes() {
        return capacityBytes;
    }

    void resize(long bytes) {
        if (bytes < usedBytes) {
            throw new IllegalArgumentException(
                    "space of " + bytes + " bytes cannot hold " + usedBytes);
        }
        capacityBytes = bytes;
    }

    long usedBytes() {
        return usedBytes;
    }

    long freeBytes() {
        return capacityBytes - usedBytes;
    }

    /// Number of objects of this size that still fit.
    long room(long objectBytes) {
        return freeBytes() / objectBytes;
    }

    /// @return number of bytes in pages that were never used before
    long add(Batch batch) {
        if (batch.bytes() > freeBytes()) {
            throw new IllegalArgumentException(batch + " does not fit " + freeBytes() + " bytes");
        }
        usedBytes += batch.bytes();
        batches.add(batch);
        long fresh = Math.max(0, usedBytes - Math.max(touchedBytes, usedBytes - batch.bytes()));
        touchedBytes = Math.max(touchedBytes, usedBytes);
        return fresh;
    }

    /// Adds unused space between objects, such as the rest of a thread's local buffer.
    void waste(long bytes) {
        usedBytes = Math.min(capacityBytes, usedBytes + bytes);
    }

    /// Empties the space and returns its contents.
    List<Batch> takeAll() {
        var all = batches;
        batches = new ArrayList<>();
        usedBytes = 0;
        return all;
    }

    long liveBytes() {
        long live = 0;
        for (Batch b : batches) {
            if (b.alive()) {
                live += b.bytes();
            }
        }
        return live;
    }
}
