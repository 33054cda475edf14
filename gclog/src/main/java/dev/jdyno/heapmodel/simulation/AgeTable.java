package dev.jdyno.heapmodel.simulation;

/// Surviving bytes by age, and the age from which the next collection promotes objects (dynamic
/// age, F11).
final class AgeTable {
    private final long[] bytesByAge = new long[HeapFlags.AGE_MAX + 1];

    void add(int age, long bytes) {
        bytesByAge[age] += bytes;
    }

    long bytes(int age) {
        return bytesByAge[age];
    }

    /// The lowest age up to which the survivors exceed `desiredBytes`, at most `max`
    /// (`AgeTable::compute_tenuring_threshold`).
    int threshold(long desiredBytes, int max) {
        long total = 0;
        int age = 1;
        while (age < bytesByAge.length) {
            total += bytesByAge[age];
            if (total > desiredBytes) {
                break;
            }
            age++;
        }
        return Math.min(age, max);
    }
}
