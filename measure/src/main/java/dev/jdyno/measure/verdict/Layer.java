package dev.jdyno.measure.verdict;

/// Maximum number of concurrent requests that one layer of the service allows (experiment E6).
///
/// @param of the pool, web server or lock; empty for CPU and memory, which exist only once
/// @param atOnce maximum number of concurrent requests
/// @param atLeast whether `atOnce` is a lower bound, so that the layer may allow more
/// @param from source of the figure
/// @param smallest whether this layer is the limit: no other layer with a known figure allows less
public record Layer(
        Kind kind, String of, double atOnce, boolean atLeast, String from, boolean smallest) {
    /// The kind of limit.
    public enum Kind {
        /// A web server in front that passes requests on.
        FRONT("front"),
        /// Connections that wait to be accepted. No request is served there.
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

        /// The key in JSON.
        public String key() {
            return key;
        }
    }

    /// True if requests only wait in the layer. It is then never the limit.
    public boolean waits() {
        return kind == Kind.LISTEN_QUEUE;
    }

    /// True if this layer can be the limit: its figure is more than a lower bound, and requests are
    /// served in it.
    public boolean isLimit() {
        return !atLeast && !waits();
    }

    public Layer asSmallest(boolean is) {
        return new Layer(kind, of, atOnce, atLeast, from, is);
    }
}
