package dev.jdyno.guard;

import dev.jdyno.measure.watch.WatchEvent;
import dev.jdyno.measure.watch.WatchEvent.CpuPerRequestChanged;
import dev.jdyno.measure.watch.WatchedMinute;
import dev.jdyno.series.Drift;
import dev.jdyno.series.Judgement;
import dev.jdyno.series.Levels;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Optional;

/// Finds changes of level of the CPU time of one request in the minutes of one watched service. The
/// detector is that of the guard; its values are the means of {@link #MINUTES} minutes, so that the
/// noise of a minute counts little and few tests are made.
///
/// The CPU time of one request depends on the traffic. A service uses some CPU without requests,
/// which counts more for each of few requests; and threads that share a core or a cache slow each
/// other down. So minutes with few requests are left out, the last value is compared only with
/// those of similar traffic, and a change counts only if {@link #IDLE_CORES} cannot explain it. It
/// also depends on the source of the count: one may count requests that another does not. So only
/// values of one source are compared.
public final class CpuLevel {
    /// Number of minutes of one value.
    static final int MINUTES = 5;

    /// Maximum number of values: those of six hours.
    static final int VALUES = 72;

    /// Minimum number of requests of a minute that counts.
    static final double MIN_REQUESTS = 300;

    /// Smallest change that counts, as a share of the level before. Noise of 3 % of a minute makes
    /// one of 1.3 % of a value; the levels of three such values differ by less.
    static final double MIN_EFFECT = 0.1;

    /// Maximum throughput of similar traffic ÷ that of the last value, and the inverse minimum.
    static final double SIMILAR = 1.5;

    /// CPU, in cores, that a service may use without any request.
    static final double IDLE_CORES = 0.03;

    /// Minutes of a JVM that are left out at first: its compilers use CPU.
    static final int LEFT_OUT = 10;

    /// Minimum number of values since a change. With fewer, their median may be that of a value
    /// before it, which the detector places after it, or of the one in which it happened.
    static final int SETTLED = 5;

    /// Sums of some minutes.
    ///
    /// @param at begin of the first one
    /// @param from the source that counted the requests of all of them
    private record Sums(
            Instant at, String from, int minutes, double seconds, double requests, double cpuMs) {
        double perS() {
            return requests / seconds;
        }

        double msPerRequest() {
            return cpuMs / requests;
        }

        /// CPU time of a request without that of an idle service; not positive if that may be all.
        double busyMsPerRequest() {
            return msPerRequest() - 1000 * IDLE_CORES / perS();
        }

        boolean isCountedLike(Sums other) {
            return from.equals(other.from);
        }

        boolean isLike(Sums last) {
            return isCountedLike(last)
                    && perS() <= SIMILAR * last.perS()
                    && last.perS() <= SIMILAR * perS();
        }

        Sums and(Sums next) {
            return new Sums(
                    at,
                    from,
                    minutes + next.minutes,
                    seconds + next.seconds,
                    requests + next.requests,
                    cpuMs + next.cpuMs);
        }
    }

    private final List<Sums> values = new ArrayList<>();
    private Optional<Sums> open = Optional.empty();
    private Optional<Long> pid = Optional.empty();
    private int left;

    /// Adds a minute.
    ///
    /// @return the event, once for each change
    public Optional<WatchEvent> after(WatchedMinute minute) {
        if (pid.filter(p -> p == minute.pid()).isEmpty()) {
            pid = Optional.of(minute.pid());
            values.clear();
            open = Optional.empty();
            left = LEFT_OUT;
        }
        if (left > 0) {
            left--;
            return Optional.empty();
        }
        Optional<Sums> now = sums(minute);
        if (now.isEmpty()) {
            return Optional.empty();
        }
        open =
                open.filter(o -> o.isCountedLike(now.get()))
                        .map(o -> o.and(now.get()))
                        .or(() -> now);
        if (open.get().minutes() < MINUTES) {
            return Optional.empty();
        }
        values.add(open.get());
        open = Optional.empty();
        if (values.size() > VALUES) {
            values.removeFirst();
        }
        return changed(minute);
    }

    /// A minute that counts; empty if its figures say little about a request.
    private static Optional<Sums> sums(WatchedMinute minute) {
        if (minute.seconds() < WatchedMinute.MIN_S || minute.stoppedS() > 0) {
            return Optional.empty();
        }
        return minute.requests()
                .filter(r -> r.perS() * minute.seconds() >= MIN_REQUESTS)
                .flatMap(r ->
                        r.cpuMs()
                                .filter(ms -> ms > 0 && Double.isFinite(ms))
                                .map(ms -> {
                                    double requests = r.perS() * minute.seconds();
                                    return new Sums(
                                            minute.at(),
                                            r.from(),
                                            1,
                                            minute.seconds(),
                                            requests,
                                            requests * ms);
                                }));
    }

    /// The last change of level among the values of similar traffic. What was before it is
    /// forgotten, so that it is not found again.
    private Optional<WatchEvent> changed(WatchedMinute minute) {
        Sums last = values.getLast();
        List<Sums> similar = values.stream().filter(v -> v.isLike(last)).toList();
        double[] ms = similar.stream().mapToDouble(Sums::msPerRequest).toArray();
        if (ms.length < Levels.MIN || !mayHaveLevels(ms)) {
            return Optional.empty();
        }
        Judgement judged = Judgement.of(ms, true, MIN_EFFECT);
        List<Levels.Change> changes = judged.levels().changes();
        if (changes.isEmpty() || ms.length - changes.getLast().index() < SETTLED) {
            return Optional.empty();
        }
        Levels.Change change = changes.getLast();
        int from = changes.size() < 2 ? 0 : changes.get(changes.size() - 2).index();
        int settled =
                Math.min(
                        judged.drift(change).map(Drift::to).orElse(change.index()),
                        ms.length - SETTLED);
        if (!isOfRequests(
                change,
                sum(similar.subList(from, Math.max(from + 1, change.index()))),
                sum(similar.subList(settled, similar.size())))) {
            return Optional.empty();
        }
        values.subList(0, values.indexOf(similar.get(settled))).clear();
        return Optional.of(
                new CpuPerRequestChanged(
                        minute.end(),
                        minute.service(),
                        similar.get(change.index()).at(),
                        change.before(),
                        change.after()));
    }

    /// False if the values are so close together that no two levels can be among them.
    private static boolean mayHaveLevels(double[] ms) {
        DoubleSummaryStatistics all = Arrays.stream(ms).summaryStatistics();
        return all.getMax() > (1 + MIN_EFFECT) * all.getMin();
    }

    /// True if requests cost more, or less, also without the CPU of an idle service. Its true CPU
    /// is between none and that, so the change holds for it, too.
    private static boolean isOfRequests(Levels.Change change, Sums before, Sums after) {
        if (before.busyMsPerRequest() <= 0 || after.busyMsPerRequest() <= 0) {
            return false;
        }
        double ratio = after.busyMsPerRequest() / before.busyMsPerRequest();
        return change.after() > change.before() ? ratio > 1 + MIN_EFFECT : ratio < 1 - MIN_EFFECT;
    }

    private static Sums sum(List<Sums> some) {
        return some.stream().reduce(Sums::and).orElseThrow();
    }
}
