package dev.jdyno.load;

/// Who sends when: the model of the load, as one event loop carries it out.
interface Pacing {
    /// A connection has nothing to do: it is connected and idle, or closed.
    void free(Connection connection, long now);

    /// A connection that waited in the due queue (thinking, backing off) is due.
    void due(Connection connection, long dueNanos, long now);

    /// The server closed a connection that was idle.
    void lost(Connection connection, long now);

    /// A connection made ahead of any request could not be made.
    void connectFailed();

    /// When the next arrival is due; {@link Long#MAX_VALUE} when connections alone decide.
    long nextArrival();

    /// Starts the arrivals that are due.
    void fire(long now);

    /// Gives up arrivals that have waited longer than `timeoutNanos`.
    void expire(long now, long timeoutNanos);

    /// Arrivals that wait for a connection.
    int backlog();
}
