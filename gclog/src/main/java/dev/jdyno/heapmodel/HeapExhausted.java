package dev.jdyno.heapmodel;

/// The simulated program ran out of memory.
final class HeapExhausted extends Exception {
    private static final long serialVersionUID = 1L;

    HeapExhausted(long objectBytes) {
        super("no room for an object of " + objectBytes + " bytes after a full collection");
    }
}
