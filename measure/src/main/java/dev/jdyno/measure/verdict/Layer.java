package dev.jdyno.measure.verdict;

/// How many requests at once one layer of the service can bear (E6).
///
/// @param of the pool, web server or lock; empty for CPU and memory, of which there is one
/// @param atOnce requests
/// @param atLeast whether the layer may bear more
/// @param from how the figure was got
/// @param smallest whether this layer is the limit: no other layer whose figure is known bears less
public record Layer(
        Kind kind, String of, double atOnce, boolean atLeast, String from, boolean smallest) {
    /// What kind of limit it is.
    public enum Kind {
        /// A web server in front that passes requests on.
        FRONT("front"),
        /// Connections that wait to be accepted: room to wait in, where no request is served.
        LISTEN_QUEUE("listen-queue"),
        THREADS("threads"),
        CONNECTIONS("connections"),
        MEMORY("memory"),
        CPU("cpu"),
        LOCK("lock");

        private final String key;

        Kind(String key) {
            this.key = key;
        }

        /// As in JSON.
        public String key() {
            return key;
        }
    }

    /// Whether requests only wait in it: it is never the limit then.
    public boolean waits() {
        return kind == Kind.LISTEN_QUEUE;
    }

    /// Whether its figure can be the smallest of all.
    public boolean isLimit() {
        return !atLeast && !waits();
    }

    public Layer asSmallest(boolean is) {
        return new Layer(kind, of, atOnce, atLeast, from, is);
    }
}
