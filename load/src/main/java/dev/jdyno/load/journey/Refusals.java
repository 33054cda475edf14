package dev.jdyno.load.journey;

/// How often one request may be sent that a server would not look at. A server that takes some
/// requests and refuses the others is asked as long as a reply is waited for; one that takes none,
/// a few times.
public final class Refusals {
    private static final int MOST_FRUITLESS = 3;

    private final long longestNanos;
    private boolean any;
    private long sinceNanos;

    /// In a row, by a server that took no other request either.
    private int fruitless;

    public Refusals(long longestNanos) {
        this.longestNanos = longestNanos;
    }

    /// The next request has had none.
    public void forget() {
        any = false;
        fruitless = 0;
    }

    /// @param tookOthers whether the server took other requests of the same connection
    public boolean mayTryAgain(boolean tookOthers, long now) {
        if (!any) {
            any = true;
            sinceNanos = now;
        }
        fruitless = tookOthers ? 0 : fruitless + 1;
        return fruitless <= MOST_FRUITLESS && now - sinceNanos <= longestNanos;
    }
}
