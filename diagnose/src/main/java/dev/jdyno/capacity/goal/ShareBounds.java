package dev.jdyno.capacity.goal;

/// A share of requests with its lower and upper bound.
public record ShareBounds(double share, double lower, double upper) {
    static final ShareBounds NONE = new ShareBounds(0, 0, 0);

    /// Returns the sum of two independent shares. The squares of their distances to the bounds add
    /// up.
    ShareBounds plus(ShareBounds other) {
        double sum = share + other.share;
        return new ShareBounds(
                sum,
                Math.max(0, sum - Math.hypot(share - lower, other.share - other.lower)),
                sum + Math.hypot(upper - share, other.upper - other.share));
    }
}
