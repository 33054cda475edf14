package dev.jdyno.trial;

import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.observe.jfr.FlightFigures;
import dev.jdyno.observe.jfr.FlightSamples;
import java.time.Instant;
import java.time.InstantSource;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// When each round was, so that what is read only after the last one still finds its round. A
/// recording bears the wall clock's time, a round the monotonic clock's: the two are compared once,
/// at the start.
final class RoundTimes {
    /// Share of the CPU that the kernel may use for samples of Java code to tell where it goes.
    private static final double KERNEL_AT_MOST = 0.3;

    private final Instant origin;
    private final IdentityHashMap<Round, LoadWindow> windows = new IdentityHashMap<>();

    RoundTimes(NanoClock clock, InstantSource wall) {
        this.origin = wall.instant().minusNanos(clock.nanos());
    }

    /// @param window the whole of the round's time
    void remember(Round round, LoadWindow window) {
        windows.put(round, window);
    }

    /// The rounds with what the recording adds to their collector's figures.
    List<Round> over(List<Round> rounds, FlightFigures figures) {
        return rounds.stream().map(r -> over(r, figures)).toList();
    }

    private Round over(Round round, FlightFigures figures) {
        LoadWindow window = windows.get(round);
        if (window == null || round.gc().isEmpty()) {
            return round;
        }
        return round.withGc(
                figures.refine(
                        round.gc().get(),
                        origin.plusNanos(window.startNanos()),
                        origin.plusNanos(window.endNanos()),
                        round.requests()));
    }

    /// What was seen in a diagnostic window, with what the recording says of the round at the same
    /// load.
    ThreadSamples seen(ThreadSamples census, List<Round> rounds, FlightFigures figures) {
        return rounds.stream()
                .filter(r -> r.concurrency() == census.concurrency() && windows.containsKey(r))
                .findFirst()
                .map(r -> seen(census, r, rounds, figures))
                .orElse(census);
    }

    private ThreadSamples seen(
            ThreadSamples census, Round round, List<Round> rounds, FlightFigures figures) {
        LoadWindow window = windows.get(round);
        if (window == null) {
            return census;
        }
        Instant from = origin.plusNanos(window.startNanos());
        Instant to = origin.plusNanos(window.endNanos());
        ThreadSamples seen =
                figures.code(from, to)
                        .map(code -> census.withSignals(census.signals().and(code)))
                        .orElse(census);
        // the kernel's part of the work has no samples
        return round.cpu()
                        .filter(c -> c.systemCores() > KERNEL_AT_MOST * c.processCores())
                        .isPresent()
                ? seen
                : figures.places(from, to, serving(census))
                        .or(() -> placesNearby(census, rounds, figures))
                        .map(p ->
                                seen.withWork(p.shares())
                                        .withSignals(seen.signals().and(p.signals())))
                        .orElse(seen);
    }

    /// Where one round has too few samples: those of the rounds at half that load and more, in
    /// which the same requests came.
    private Optional<FlightSamples.Places> placesNearby(
            ThreadSamples census, List<Round> rounds, FlightFigures figures) {
        List<LoadWindow> near =
                rounds.stream()
                        .filter(r -> 2 * r.concurrency() >= census.concurrency())
                        .map(windows::get)
                        .filter(Objects::nonNull)
                        .toList();
        LongSummaryStatistics ends =
                near.stream().mapToLong(LoadWindow::endNanos).summaryStatistics();
        LongSummaryStatistics starts =
                near.stream().mapToLong(LoadWindow::startNanos).summaryStatistics();
        return figures.places(
                origin.plusNanos(starts.getMin()),
                origin.plusNanos(ends.getMax()),
                serving(census));
    }

    private static Set<String> serving(ThreadSamples census) {
        return census.pools().stream()
                .filter(ThreadSamples.Pool::serving)
                .map(ThreadSamples.Pool::name)
                .collect(Collectors.toSet());
    }
}
