package dev.jdyno.watch;

import dev.jdyno.measure.watch.WatchEvent;
import dev.jdyno.measure.watch.WatchedMinute;

/// Receives what a watch finds. The threads of several services call it, one at a time.
public interface WatchListener {
    /// A minute has ended.
    void minute(WatchedMinute minute);

    void event(WatchEvent event);

    /// A trouble of the watch itself, in one sentence. The watch goes on.
    void note(String says);
}
