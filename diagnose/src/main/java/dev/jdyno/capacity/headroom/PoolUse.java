package dev.jdyno.capacity.headroom;

/// The use of one pool in a window, as the service reports it.
///
/// @param name name of the pool in the service's metrics
/// @param library library of the pool, as thread samples name it
/// @param inUse mean number of members in use. It may slightly exceed the size, because a timer
///   counts the whole of a long use in the window where it ends
/// @param size maximum number of members
public record PoolUse(String name, String library, double inUse, double size) {
    public PoolUse {
        if (!(inUse >= 0) || !(size > 0) || Double.isInfinite(inUse + size)) {
            throw new IllegalArgumentException(
                    "%s of %s members of %s in use".formatted(inUse, size, name));
        }
    }

    /// True if both are of the same pool, whatever its size.
    public boolean isSame(PoolUse other) {
        return name.equals(other.name) && library.equals(other.library);
    }
}
