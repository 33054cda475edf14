package dev.jdyno.load.loop;

/// The load model as one event loop carries it out: it decides which user sends when. The default
/// methods do nothing, or what the closed model needs.
interface Pacing {
    /// Called when a user is connected and idle, or has no connection.
    default void free(User user, long now) {}

    /// Called when a user is connected and idle in the middle of a journey.
    default void carryOn(User user, long now) {
        free(user, now);
    }

    /// Called when the wait of a user in the due queue (a pause or a backoff) is over.
    default void due(User user, long dueNanos, long now) {}

    /// Called when the server has closed the connection of an idle user. The next request opens a
    /// new connection.
    default void lost(User user, long now) {}

    /// Called when a connection that was made ahead of any request failed.
    ///
    /// @return true if the failure ends a request and so counts as an error
    default boolean connectFailed() {
        return true;
    }

    /// Time at which the next arrival is due; {@link Long#MAX_VALUE} if there is no schedule.
    default long nextArrival() {
        return Long.MAX_VALUE;
    }

    /// Starts the arrivals that are due.
    default void fire(long now) {}

    /// Drops arrivals that have waited longer than `timeoutNanos`.
    default void expire(long now, long timeoutNanos) {}

    /// Number of arrivals that wait for a user.
    default int backlog() {
        return 0;
    }
}
