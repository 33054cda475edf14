package dev.jdyno.load.journey;

/// Limits the repeats of a request that the server refused without processing it. While the server
/// accepts other requests, the request is repeated until the request timeout. While it accepts
/// none, the request is repeated at most {@link #MAX_FRUITLESS} times.
public final class Refusals {
    private static final int MAX_FRUITLESS = 3;

    private final long longestNanos;
    private boolean any;
    private long sinceNanos;

    /// Refusals in a row while the server accepted no other request.
    private int fruitless;

    public Refusals(long longestNanos) {
        this.longestNanos = longestNanos;
    }

    /// Resets the count for the next request.
    public void forget() {
        any = false;
        fruitless = 0;
    }

    /// @param tookOthers true if the server accepted other requests of the same connection
    public boolean mayTryAgain(boolean tookOthers, long now) {
        if (!any) {
            any = true;
            sinceNanos = now;
        }
        fruitless = tookOthers ? 0 : fruitless + 1;
        return fruitless <= MAX_FRUITLESS && now - sinceNanos <= longestNanos;
    }
}
