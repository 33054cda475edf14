package dev.jdyno.heapmodel.simulation;

/// Allocation in the spaces that Serial and Parallel have in common. Objects are allocated in Eden
/// while it has space, and in the old generation if Eden cannot take them. If neither has space, a
/// collection begins.
final class Filling {
    /// The decisions in which the two collectors differ.
    interface Policy {
        /// True if an object that does not fit into Eden is allocated in the old generation
        /// directly.
        boolean isLarge(long objectBytes);

        /// Collects for an object of this size.
        ///
        /// @return time in seconds for which the application was stopped
        double collectFor(long objectBytes, double nowSeconds) throws HeapExhausted;
    }

    private final Generations heap;
    private final HeapTally tally;
    private final Policy policy;

    Filling(Generations heap, HeapTally tally, Policy policy) {
        this.heap = heap;
        this.tally = tally;
        this.policy = policy;
    }

    double allocate(Life life, long objectBytes, long count, double nowSeconds)
            throws HeapExhausted {
        double stopped = 0;
        long left = count;
        while (left > 0) {
            long fits = Math.min(left, heap.eden().room(objectBytes));
            if (fits > 0) {
                heap.eden().add(new Batch(life, objectBytes, fits, 0));
                left -= fits;
                continue;
            }
            if (!policy.isLarge(objectBytes) || heap.old().room(objectBytes) == 0) {
                stopped += policy.collectFor(objectBytes, nowSeconds + stopped);
            }
            place(life, objectBytes);
            left--;
        }
        return stopped;
    }

    private void place(Life life, long objectBytes) throws HeapExhausted {
        if (heap.eden().room(objectBytes) > 0) {
            heap.eden().add(new Batch(life, objectBytes, 1, 0));
        } else if (heap.old().room(objectBytes) > 0) {
            heap.old().add(new Batch(life, objectBytes, 1, 0));
            tally.direct(objectBytes);
        } else {
            throw new HeapExhausted(objectBytes);
        }
    }
}
