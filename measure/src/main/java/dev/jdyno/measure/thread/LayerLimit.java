package dev.jdyno.measure.thread;

/// How much one layer on the way of a request is set to let in at once.
///
/// @param layer its name: of a pool of the thread samples where it is one of threads
/// @param atOnce requests, or connections where each carries one request at a time
/// @param from who told it and how it comes about
public record LayerLimit(String layer, Kind kind, double atOnce, String from) {
    /// What it lets in.
    public enum Kind {
        /// A web server in front that passes requests on.
        FRONT("front"),
        /// Threads, each of which works on one request.
        THREADS("threads"),
        /// Connections that are open.
        CONNECTIONS("connections"),
        /// Connections that wait to be accepted: room beside the others, where no request is
        /// served.
        LISTEN_QUEUE("listen-queue");

        private final String key;

        Kind(String key) {
            this.key = key;
        }

        /// As in JSON.
        public String key() {
            return key;
        }
    }
}
