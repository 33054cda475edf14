package dev.jdyno.load;

/// Who sends when: the model of the load, as one event loop carries it out.
interface Pacing {
    /// A user has nothing to do: connected and idle, or without a connection.
    void free(User user, long now);

    /// The same, in the middle of a journey.
    default void carryOn(User user, long now) {
        free(user, now);
    }

    /// A user who waited in the due queue (thinking, backing off) is due.
    void due(User user, long dueNanos, long now);

    /// The server closed the connection of an idle user.
    void lost(User user, long now);

    /// A connection made ahead of any request could not be made.
    void connectFailed();

    /// When the next arrival is due; {@link Long#MAX_VALUE} when connections alone decide.
    long nextArrival();

    /// Starts the arrivals that are due.
    void fire(long now);

    /// Gives up arrivals that have waited longer than `timeoutNanos`.
    void expire(long now, long timeoutNanos);

    /// Arrivals that wait for a user.
    int backlog();
}
