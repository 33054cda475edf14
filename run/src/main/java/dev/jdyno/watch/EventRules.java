package dev.jdyno.watch;

import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.watch.WatchEvent;
import dev.jdyno.measure.watch.WatchEvent.BottleneckChanged;
import dev.jdyno.measure.watch.WatchEvent.HeadroomBack;
import dev.jdyno.measure.watch.WatchEvent.HeadroomBelow;
import dev.jdyno.measure.watch.WatchedMinute;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Decides which minutes of one service are events. A change counts once two consecutive minutes
/// show it, so that a service between two limits does not cause an event each minute.
final class EventRules {
    /// Number of consecutive minutes that confirm a change.
    private static final int CONFIRMING = 2;

    /// Minimum confidence of a bottleneck that is reported. With less, it is a wait of which only a
    /// load test can tell whether it limits the service.
    private static final double MIN_CONFIDENCE = 0.7;

    /// Maximum time from the begin of a minute to that of the next one, for the two to be
    /// consecutive.
    private static final Duration CONSECUTIVE = Duration.ofSeconds(150);

    /// Headroom ÷ wanted headroom from which on the headroom is back, and a further event of low
    /// headroom is possible. A headroom that varies around the wanted one causes one event.
    static final double ARMED_AGAIN = 1.1;

    private final Optional<Double> below;
    private Optional<Bottleneck> current = Optional.empty();
    private Optional<Bottleneck> candidate = Optional.empty();
    private Optional<Instant> last = Optional.empty();
    private int named;
    private int low;
    private boolean armed = true;

    /// @param below wanted headroom; empty for no event of headroom
    EventRules(Optional<Double> below) {
        this.below = below;
    }

    /// The events at the end of a minute.
    List<WatchEvent> after(WatchedMinute minute) {
        if (minute.seconds() < WatchedMinute.MIN_S) {
            return List.of();
        }
        if (!follows(minute)) {
            forget();
        }
        last = Optional.of(minute.at());
        List<WatchEvent> events = new ArrayList<>();
        changed(minute).ifPresent(events::add);
        headroom(minute).ifPresent(events::add);
        return events;
    }

    /// Begins to count consecutive minutes again: the service was restarted.
    void forget() {
        candidate = Optional.empty();
        named = 0;
        low = 0;
        last = Optional.empty();
    }

    private boolean follows(WatchedMinute minute) {
        return last.map(l -> Duration.between(l, minute.at()).abs())
                .filter(gap -> gap.compareTo(CONSECUTIVE) <= 0)
                .isPresent();
    }

    private Optional<WatchEvent> changed(WatchedMinute minute) {
        Bottleneck name = minute.verdict().bottleneck();
        if (!isCertain(minute.verdict()) || current.filter(name::equals).isPresent()) {
            candidate = Optional.empty();
            named = 0;
            return Optional.empty();
        }
        named = candidate.filter(name::equals).isPresent() ? named + 1 : 1;
        candidate = Optional.of(name);
        if (named < CONFIRMING) {
            return Optional.empty();
        }
        var event =
                new BottleneckChanged(minute.end(), minute.service(), current, minute.verdict());
        current = candidate;
        candidate = Optional.empty();
        named = 0;
        return Optional.of(event);
    }

    private static boolean isCertain(WatchedMinute.Named verdict) {
        return switch (verdict.bottleneck()) {
            case LOAD -> true;
            case UNKNOWN -> false;
            default -> verdict.confidence() >= MIN_CONFIDENCE;
        };
    }

    private Optional<WatchEvent> headroom(WatchedMinute minute) {
        if (below.isEmpty() || minute.headroom().isEmpty()) {
            low = 0;
            return Optional.empty();
        }
        double wanted = below.get();
        WatchedMinute.Room room = minute.headroom().get();
        low = room.ratio() < wanted ? low + 1 : 0;
        if (armed && low >= CONFIRMING) {
            armed = false;
            return Optional.of(new HeadroomBelow(minute.end(), minute.service(), wanted, room));
        }
        if (!armed && room.ratio() >= ARMED_AGAIN * wanted) {
            armed = true;
            return Optional.of(new HeadroomBack(minute.end(), minute.service(), wanted, room));
        }
        return Optional.empty();
    }
}
