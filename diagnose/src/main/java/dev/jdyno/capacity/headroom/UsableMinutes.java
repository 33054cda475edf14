package dev.jdyno.capacity.headroom;

import dev.jdyno.measure.statistics.Quantiles;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.watch.WatchedHeadroom.LeftOut;
import dev.jdyno.measure.watch.WatchedMinute;
import dev.jdyno.measure.watch.WatchedMinute.Requests;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Selects the minutes that show the demand of a service, and counts the others by reason. Day
/// files are foreign input, so no value is trusted.
final class UsableMinutes {
    /// Maximum length of a minute that counts, in seconds. jdyno itself was stopped in longer ones.
    private static final double MAX_S = 120;

    /// Maximum number of cores that is believed. No machine has as many.
    private static final double MAX_CORES = 1e5;

    /// Maximum requests per second, and members of a pool in use, that are believed.
    private static final double MAX_AMOUNT = 1e9;

    /// Minimum ratio of the cores of two JVMs that have the same number of cores. They differ in
    /// minutes in which a JVM uses more than its quota for a moment.
    private static final double SAME_CORES = 0.85;

    private final Map<LeftOut, Integer> leftOut = new EnumMap<>(LeftOut.class);
    private final List<WatchedMinute> kept;

    /// @param minutes in any order
    UsableMinutes(List<WatchedMinute> minutes) {
        this.kept = countedAlike(sinceCoresChanged(each(minutes)));
    }

    /// The minutes that count, in the order of time. Each has its CPU and its requests.
    List<WatchedMinute> kept() {
        return kept;
    }

    Map<LeftOut, Integer> leftOut() {
        return leftOut;
    }

    private void leaveOut(LeftOut reason, int minutes) {
        if (minutes > 0) {
            leftOut.merge(reason, minutes, Integer::sum);
        }
    }

    /// The minutes that count by their own figures and their neighbours.
    private List<WatchedMinute> each(List<WatchedMinute> minutes) {
        List<WatchedMinute> possible =
                minutes.stream()
                        .filter(UsableMinutes::isPossible)
                        .sorted(Comparator.comparing(WatchedMinute::at))
                        .toList();
        leaveOut(LeftOut.IMPOSSIBLE, minutes.size() - possible.size());
        List<WatchedMinute> good = new ArrayList<>();
        Instant free = Instant.MIN;
        for (int i = 0; i < possible.size(); i++) {
            WatchedMinute m = possible.get(i);
            Optional<LeftOut> reason =
                    m.at().isBefore(free)
                            ? Optional.of(LeftOut.OVERLAPPING)
                            : reason(m, isRestart(possible, i));
            if (reason.isPresent()) {
                leaveOut(reason.get(), 1);
            } else {
                good.add(m);
            }
            if (!m.at().isBefore(free) && m.seconds() <= MAX_S) {
                // half of it, because the two clocks differ a little
                free = m.at().plusMillis(Math.round(m.seconds() * 1000 / 2));
            }
        }
        return good;
    }

    /// True if another JVM ran in the minute before or after.
    private static boolean isRestart(List<WatchedMinute> minutes, int i) {
        long pid = minutes.get(i).pid();
        return (i > 0 && minutes.get(i - 1).pid() != pid)
                || (i + 1 < minutes.size() && minutes.get(i + 1).pid() != pid);
    }

    private static Optional<LeftOut> reason(WatchedMinute m, boolean isRestart) {
        if (m.seconds() < WatchedMinute.MIN_S || m.seconds() > MAX_S) {
            return Optional.of(LeftOut.LENGTH);
        }
        if (m.stoppedS() > 0) {
            return Optional.of(LeftOut.STOPPED);
        }
        if (isRestart) {
            return Optional.of(LeftOut.RESTARTED);
        }
        if (m.verdict().bottleneck() == Bottleneck.UNKNOWN) {
            return Optional.of(LeftOut.UNKNOWN);
        }
        if (m.requests().isEmpty()) {
            return Optional.of(LeftOut.NOT_COUNTED);
        }
        return m.cpu().isEmpty() ? Optional.of(LeftOut.NO_CPU) : Optional.empty();
    }

    /// The minutes since the last restart with another number of cores.
    private List<WatchedMinute> sinceCoresChanged(List<WatchedMinute> minutes) {
        int from = minutes.size();
        double last = 0;
        while (from > 0) {
            int begin = beginOfJvm(minutes, from);
            double cores = cores(minutes.subList(begin, from));
            if (last == 0) {
                last = cores;
            }
            if (Math.min(cores, last) < SAME_CORES * Math.max(cores, last)) {
                break;
            }
            from = begin;
        }
        leaveOut(LeftOut.OTHER_CORES, from);
        return minutes.subList(from, minutes.size());
    }

    /// The index of the first minute of the JVM whose last minute is before `end`.
    private static int beginOfJvm(List<WatchedMinute> minutes, int end) {
        int begin = end - 1;
        while (begin > 0 && minutes.get(begin - 1).pid() == minutes.get(end - 1).pid()) {
            begin--;
        }
        return begin;
    }

    /// The cores that a JVM may use at all. Those that were available to it are fewer where other
    /// processes take some, which is no other number of cores.
    private static double cores(List<WatchedMinute> minutes) {
        return Quantiles.median(
                minutes.stream()
                        .flatMap(m -> m.cpu().stream())
                        .mapToDouble(c -> c.allCores().orElse(c.availableCores()))
                        .toArray());
    }

    /// The minutes whose requests were counted by the source of most of them. Sources differ by
    /// some percent, which would look like another demand.
    private List<WatchedMinute> countedAlike(List<WatchedMinute> minutes) {
        Optional<String> source =
                minutes.stream()
                        .flatMap(m -> m.requests().stream())
                        .collect(
                                Collectors.groupingBy(
                                        Requests::from, TreeMap::new, Collectors.counting()))
                        .entrySet()
                        .stream()
                        .max(Map.Entry.comparingByValue())
                        .map(Map.Entry::getKey);
        List<WatchedMinute> alike =
                minutes.stream()
                        .filter(m -> m.requests().map(Requests::from).equals(source))
                        .toList();
        leaveOut(LeftOut.OTHER_COUNT, minutes.size() - alike.size());
        return alike;
    }

    private static boolean isPossible(WatchedMinute m) {
        return m.seconds() > 0
                && Double.isFinite(m.seconds())
                && isWithin(m.stoppedS(), Double.MAX_VALUE)
                && m.requests().stream().allMatch(r -> isWithin(r.perS(), MAX_AMOUNT))
                && m.cpu().stream()
                        .allMatch(c ->
                                c.availableCores() > 0
                                        && isWithin(c.availableCores(), MAX_CORES)
                                        && isWithin(c.cores(), c.availableCores())
                                        && c.allCores().stream()
                                                .allMatch(all ->
                                                        all >= c.availableCores()
                                                                && all <= MAX_CORES))
                && m.pools().stream()
                        .flatMap(p -> p.inUse().stream())
                        .allMatch(n -> isWithin(n, MAX_AMOUNT))
                // a pool without a limit may report any other number
                && m.pools().stream().flatMap(p -> p.max().stream()).noneMatch(n -> n.isNaN());
    }

    private static boolean isWithin(double value, double max) {
        return value >= 0 && value <= max;
    }
}
