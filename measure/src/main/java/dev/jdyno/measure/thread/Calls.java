package dev.jdyno.measure.thread;

/// The target's connections to one other service over a diagnostic window, as the kernel saw them:
/// also those of asynchronous clients, for whose calls no thread waits.
///
/// @param peer the other side, with the name of the database before it where it is one
/// @param connections mean number of established connections
/// @param awaiting of these, mean number on which the last data was sent and not received: a call
///   is under way; one connection may carry several (HTTP/2)
/// @param opened how many different connections were seen in all: as many as `connections` where
///   they are kept, many more where each call opens its own
/// @param database whether a database answers there
public record Calls(
        Place.Peer peer, double connections, double awaiting, int opened, boolean database) {
    /// Of a service that is no database.
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
