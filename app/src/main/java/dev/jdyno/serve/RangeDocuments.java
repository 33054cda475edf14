package dev.jdyno.serve;

import dev.jdyno.measure.watch.SkippedLines;
import io.javalin.http.ServiceUnavailableResponse;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/// The JSON documents of ranges of watched minutes. The headroom of a day takes seconds of CPU, so
/// one document is made at a time, and the last ones are kept. Few requests may wait for their
/// turn: the server has few threads, and its other pages must stay quick.
final class RangeDocuments {
    /// Maximum number of documents that are kept. Each has a few kilobytes.
    static final int MAX_KEPT = 16;

    /// Maximum number of requests whose document is made or that wait for that.
    static final int MAX_TURNS = 3;

    private final Deque<Kept> kept = new ArrayDeque<>();
    private final Semaphore turns = new Semaphore(MAX_TURNS);
    private final Object making = new Object();

    /// What a document is made of.
    ///
    /// @param minutes hash code of the minutes of the day, of which more may have been written
    /// @param skipped lines of the day that are not in it
    record Key(String service, Instant from, Instant to, int minutes, SkippedLines skipped) {}

    private record Kept(Key key, String document) {}

    /// The document of a range, kept or made.
    ///
    /// @throws ServiceUnavailableResponse if too many requests wait
    String of(Key key, Supplier<String> maker) {
        Optional<String> known = kept(key);
        if (known.isPresent()) {
            return known.get();
        }
        if (!turns.tryAcquire()) {
            throw new ServiceUnavailableResponse(
                    "the headroom of other ranges is being computed: ask again in some seconds");
        }
        try {
            synchronized (making) {
                return kept(key).orElseGet(() -> keep(key, maker.get()));
            }
        } finally {
            turns.release();
        }
    }

    private Optional<String> kept(Key key) {
        synchronized (kept) {
            return kept.stream().filter(k -> k.key().equals(key)).map(Kept::document).findFirst();
        }
    }

    private String keep(Key key, String document) {
        synchronized (kept) {
            kept.addLast(new Kept(key, document));
            if (kept.size() > MAX_KEPT) {
                kept.removeFirst();
            }
        }
        return document;
    }
}
