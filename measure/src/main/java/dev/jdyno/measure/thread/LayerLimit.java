package dev.jdyno.measure.thread;

/// The configured limit of one layer on the path of a request: how many requests or connections it
/// admits at the same time.
///
/// @param layer name of the layer; for threads, the name of a pool of the thread samples
/// @param atOnce requests, or connections if each carries one request at a time
/// @param from the source of the limit and how it is computed
public record LayerLimit(String layer, Kind kind, double atOnce, String from) {
    /// The resource that the layer limits.
    public enum Kind {
        /// Requests that a web server in front of the service passes on.
        FRONT("front"),
        /// Threads, each of which works on one request.
        THREADS("threads"),
        /// Open connections.
        CONNECTIONS("connections"),
        /// Connections that wait to be accepted, in addition to the open ones. No request is served
        /// there.
        LISTEN_QUEUE("listen-queue");

        private final String key;

        Kind(String key) {
            this.key = key;
        }

        /// The key in JSON.
        public String key() {
            return key;
        }
    }
}
