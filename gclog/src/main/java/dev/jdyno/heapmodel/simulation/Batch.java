package dev.jdyno.heapmodel.simulation;

/// Objects of one size and age that live and die together.
///
/// @param objectBytes size of each object in the heap
/// @param age number of minor collections that they survived
record Batch(Life life, long objectBytes, long count, int age) {
    long bytes() {
        return objectBytes * count;
    }

    boolean alive() {
        return life.alive();
    }

    Batch older() {
        return new Batch(life, objectBytes, count, Math.min(age + 1, HeapFlags.AGE_MAX));
    }

    Batch of(long some) {
        return new Batch(life, objectBytes, some, age);
    }
}
