package dev.jdyno.observe;

import dev.jdyno.measure.Cause;
import dev.jdyno.measure.Insight.Wait;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/// Waits of 1 ms and more, summed from a flight recording by cause and place: a second witness
/// beside the thread dumps, exact where those only sample. JFR has no event for DNS lookups and
/// none for selectors, and parks of idle threads are left out.
public final class FlightWaits {
    /// Places that are worth a line.
    private static final int MOST = 20;

    /// Ports of one host up to which each has a line of its own.
    private static final int FEW_PORTS = 4;

    private FlightWaits() {}

    private record Key(Cause cause, String where) {}

    private record Sum(long count, double seconds) {
        Sum plus(Sum other) {
            return new Sum(count + other.count, seconds + other.seconds);
        }
    }

    /// @param qps requests per second in that time
    /// @return the largest first
    public static List<Wait> read(
            Path recording, Instant from, Instant to, int concurrency, double qps, Frames frames)
            throws IOException {
        var classifier = new StackClassifier(frames);
        Map<Key, Sum> sums = new HashMap<>();
        try (var events = new RecordingFile(recording)) {
            while (events.hasMoreEvents()) {
                RecordedEvent event = events.readEvent();
                if (!event.getStartTime().isBefore(from) && event.getStartTime().isBefore(to)) {
                    key(event, classifier)
                            .ifPresent(k ->
                                    sums.merge(
                                            k,
                                            new Sum(1, event.getDuration().toNanos() / 1e9),
                                            Sum::plus));
                }
            }
        }
        Map<Key, Sum> joined = withoutClientsPorts(sums);
        double requests = qps * java.time.Duration.between(from, to).toNanos() / 1e9;
        List<Wait> waits = new ArrayList<>();
        joined.forEach((k, s) ->
                waits.add(
                        new Wait(
                                concurrency,
                                k.cause(),
                                k.where(),
                                s.count(),
                                requests <= 0 ? 0 : s.seconds() * 1000 / requests)));
        waits.sort(Comparator.comparingDouble(Wait::perRequestMs).reversed());
        return waits.stream().limit(MOST).toList();
    }

    /// A host that is met at many ports is that of clients, each of which has one for itself: one
    /// line for them all.
    private static Map<Key, Sum> withoutClientsPorts(Map<Key, Sum> sums) {
        Map<Key, Integer> ports = new HashMap<>();
        sums.keySet().stream()
                .filter(FlightWaits::isPeer)
                .forEach(k -> ports.merge(host(k), 1, Integer::sum));
        Map<Key, Sum> joined = new HashMap<>();
        sums.forEach((k, sum) -> {
            int many = isPeer(k) ? ports.getOrDefault(host(k), 0) : 0;
            Key key =
                    many <= FEW_PORTS
                            ? k
                            : new Key(k.cause(), host(k).where() + ", " + many + " ports");
            joined.merge(key, sum, Sum::plus);
        });
        return joined;
    }

    private static boolean isPeer(Key key) {
        return (key.cause() == Cause.NETWORK || key.cause() == Cause.DOWNSTREAM)
                && key.where().contains(":");
    }

    private static Key host(Key key) {
        return new Key(key.cause(), key.where().substring(0, key.where().lastIndexOf(':')));
    }

    private static Optional<Key> key(RecordedEvent event, StackClassifier classifier) {
        return switch (event.getEventType().getName()) {
            case "jdk.SocketRead" ->
                    busy(event, classifier, ThreadDump.State.RUNNABLE)
                            .map(d ->
                                    new Key(
                                            d.cause() == Cause.DATABASE
                                                    ? Cause.DATABASE
                                                    : Cause.DOWNSTREAM,
                                            peer(event)));
            case "jdk.SocketWrite" -> Optional.of(new Key(Cause.NETWORK, peer(event)));
            case "jdk.FileRead", "jdk.FileWrite" ->
                    Optional.of(new Key(Cause.DISK, String.valueOf(event.getString("path"))));
            case "jdk.FileForce" ->
                    Optional.of(new Key(Cause.DISK, "force " + event.getString("path")));
            case "jdk.JavaMonitorEnter" ->
                    Optional.of(new Key(Cause.LOCK, event.getClass("monitorClass").getName()));
            case "jdk.ThreadPark" ->
                    busy(event, classifier, ThreadDump.State.WAITING)
                            .map(d -> new Key(d.cause(), parkedAt(event, d)));
            case "jdk.ThreadSleep" ->
                    busy(event, classifier, ThreadDump.State.RUNNABLE)
                            .map(d -> new Key(Cause.SLEEP, d.where()));
            default -> Optional.empty();
        };
    }

    /// A lock of `java.util.concurrent` by its class: the recording knows no object.
    private static String parkedAt(RecordedEvent event, Doing doing) {
        return doing.cause() == Cause.LOCK && event.getClass("parkedClass") != null
                ? StackClassifier.lockClass(event.getClass("parkedClass").getName())
                : doing.where();
    }

    private static String peer(RecordedEvent event) {
        String address = event.getString("address");
        return (address == null || address.isEmpty() ? event.getString("host") : address)
                + ":"
                + event.getInt("port");
    }

    /// What a thread with this stack does for a request; empty when it waits for one.
    private static Optional<Doing> busy(
            RecordedEvent event, StackClassifier classifier, ThreadDump.State state) {
        RecordedStackTrace trace = event.getStackTrace();
        return trace == null
                ? Optional.empty()
                : classifier
                        .classify(FlightStack.thread("", state, FlightStack.frames(trace)))
                        .doing();
    }
}
