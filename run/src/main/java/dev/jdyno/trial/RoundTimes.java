package dev.jdyno.trial;

import dev.jdyno.inside.Inside;
import dev.jdyno.inside.RunningCode;
import dev.jdyno.inside.Span;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.Slice;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// Times of the rounds, by which readings made after the last round are assigned to their rounds.
final class RoundTimes {
    /// Maximum share of the CPU time that the kernel may use. Above it, samples of Java code do not
    /// show where the CPU time goes.
    private static final double MAX_KERNEL_SHARE = 0.3;

    /// Keyed by the slices of a round, which stay the same when figures are added to the round
    /// later.
    private final IdentityHashMap<List<Slice>, LoadWindow> windows = new IdentityHashMap<>();

    /// @param window the whole of the round's time
    void remember(Round round, LoadWindow window) {
        windows.put(round.slices(), window);
    }

    /// The rounds, with the collector's figures completed from the recording.
    List<Round> over(List<Round> rounds, Inside inside) throws InterruptedException {
        List<Round> better = new ArrayList<>();
        for (Round round : rounds) {
            better.add(over(round, inside));
        }
        return better;
    }

    private Round over(Round round, Inside inside) throws InterruptedException {
        LoadWindow window = windows.get(round.slices());
        if (window == null || round.gc().isEmpty()) {
            return round;
        }
        return round.withGc(inside.refined(round.gc().get(), span(window), round.requests()));
    }

    private static Span span(LoadWindow window) {
        // a driver's runs have pauses between them: the span is only as long as the counted time
        return new Span(
                window.startNanos(), window.startNanos() + Math.round(window.seconds() * 1e9));
    }

    /// The code that ran in the round of a load, according to the recording.
    ///
    /// @param pools thread pools that accept requests
    RunningCode runningCode(int concurrency, Set<String> pools, List<Round> rounds, Inside inside)
            throws InterruptedException {
        Optional<Round> same =
                rounds.stream()
                        .filter(r ->
                                r.concurrency() == concurrency && windows.containsKey(r.slices()))
                        .findFirst();
        LoadWindow window = same.map(Round::slices).map(windows::get).orElse(null);
        if (window == null) {
            return RunningCode.UNKNOWN;
        }
        // work in the kernel has no samples
        boolean mostlyKernel =
                same.flatMap(Round::cpu)
                        .filter(c -> c.systemCores() > MAX_KERNEL_SHARE * c.ownCores())
                        .isPresent();
        return inside.runningCode(
                pools,
                span(window),
                mostlyKernel ? Optional.empty() : Optional.of(nearby(concurrency, rounds)));
    }

    /// The time of the rounds at half that load and more, which had the same requests. Their
    /// samples are used if one round has too few.
    private Span nearby(int concurrency, List<Round> rounds) {
        List<LoadWindow> near =
                rounds.stream()
                        .filter(r -> 2 * r.concurrency() >= concurrency)
                        .map(Round::slices)
                        .map(windows::get)
                        .filter(Objects::nonNull)
                        .toList();
        LongSummaryStatistics ends =
                near.stream().mapToLong(LoadWindow::endNanos).summaryStatistics();
        LongSummaryStatistics starts =
                near.stream().mapToLong(LoadWindow::startNanos).summaryStatistics();
        return new Span(starts.getMin(), ends.getMax());
    }
}
