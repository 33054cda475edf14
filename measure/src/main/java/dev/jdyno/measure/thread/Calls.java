package dev.jdyno.measure.thread;

/// The target's connections to one other service over a diagnostic window, as the kernel reported
/// them. They include connections of asynchronous clients, for whose calls no thread waits.
///
/// @param peer the other side, preceded by the name of the database if it is one
/// @param connections mean number of established connections
/// @param awaiting mean number of connections with an open call: the last data on the connection
///   was sent by the target. One connection may carry several calls (HTTP/2).
/// @param opened number of different connections found in the window. It equals `connections` if
///   connections are kept open. It is much larger if each call opens a new one.
/// @param database whether the service is a database
public record Calls(
        Place.Peer peer, double connections, double awaiting, int opened, boolean database) {
    /// Connections to a service that is not a database.
    public Calls(Place.Peer peer, double connections, double awaiting, int opened) {
        this(peer, connections, awaiting, opened, false);
    }

    /// The other side as text.
    public String where() {
        return peer.text();
    }

    /// Share of the connections that await an answer, 0…1.
    public double inUse() {
        return connections <= 0 ? 0 : awaiting / connections;
    }
}
