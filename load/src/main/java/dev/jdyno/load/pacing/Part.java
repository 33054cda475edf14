package dev.jdyno.load.pacing;

/// The part of a load that this process carries when several share it.
///
/// @param index number of the process, from 0
/// @param of number of processes
public record Part(int index, int of) {
    public static final Part WHOLE = new Part(0, 1);

    public Part {
        if (index < 0 || index >= of) {
            throw new IllegalArgumentException("part " + index + " of " + of);
        }
    }

    /// The number, over all processes, of item `i` of this process.
    public int global(int i) {
        return i * of + index;
    }

    /// The number of items, out of `n`, that belong to this process.
    public int share(int n) {
        return n / of + (index < n % of ? 1 : 0);
    }
}
