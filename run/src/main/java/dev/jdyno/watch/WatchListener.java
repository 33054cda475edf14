package dev.jdyno.watch;

import dev.jdyno.measure.watch.WatchEvent;
import dev.jdyno.measure.watch.WatchedMinute;
import java.util.List;

/// Receives what a watch finds. The threads of several services call it, one at a time.
public interface WatchListener {
    /// A minute has ended.
    ///
    /// @return events that the listener's own rules see in it. The watch reports and keeps them
    ///   like its own
    List<WatchEvent> minute(WatchedMinute minute);

    void event(WatchEvent event);

    /// A trouble of the watch itself, in one sentence. The watch goes on.
    void note(String says);
}
