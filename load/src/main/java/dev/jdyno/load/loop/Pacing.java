package dev.jdyno.load.loop;

/// Who sends when: the model of the load, as one event loop carries it out. What the closed model
/// has no need of does nothing unless it is called.
interface Pacing {
    /// A user has nothing to do: connected and idle, or without a connection.
    default void free(User user, long now) {}

    /// The same, in the middle of a journey.
    default void carryOn(User user, long now) {
        free(user, now);
    }

    /// A user who waited in the due queue (thinking, backing off) is due.
    default void due(User user, long dueNanos, long now) {}

    /// The server closed the connection of an idle user; the next request connects anew.
    default void lost(User user, long now) {}

    /// A connection made ahead of any request could not be made.
    ///
    /// @return whether that is the end of a request, and so an error
    default boolean connectFailed() {
        return true;
    }

    /// When the next arrival is due; {@link Long#MAX_VALUE} when connections alone decide.
    default long nextArrival() {
        return Long.MAX_VALUE;
    }

    /// Starts the arrivals that are due.
    default void fire(long now) {}

    /// Gives up arrivals that have waited longer than `timeoutNanos`.
    default void expire(long now, long timeoutNanos) {}

    /// Arrivals that wait for a user.
    default int backlog() {
        return 0;
    }
}
