package dev.jdyno.load.pacing;

/// Which part of a load this process carries, when several share it.
///
/// @param index from 0
/// @param of processes in all
public record Part(int index, int of) {
    public static final Part WHOLE = new Part(0, 1);

    public Part {
        if (index < 0 || index >= of) {
            throw new IllegalArgumentException("part " + index + " of " + of);
        }
    }

    /// The number, over all processes, of the `i`-th thing of this one.
    public int global(int i) {
        return i * of + index;
    }

    /// How many of `n` things are this process's.
    public int share(int n) {
        return n / of + (index < n % of ? 1 : 0);
    }
}
