package dev.jdyno.heapmodel.simulation;

/// The simulated program ran out of memory.
public final class HeapExhausted extends Exception {
    private static final long serialVersionUID = 1L;

    public HeapExhausted(long objectBytes) {
        super("no room for an object of " + objectBytes + " bytes after a full collection");
    }
}
