package dev.jdyno.observe.jfr;

import dev.jdyno.measure.Insight.Wait;
import dev.jdyno.measure.Insight.WaitLength;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.stacks.StackClassifier;
import dev.jdyno.observe.stacks.ThreadActivity;
import dev.jdyno.observe.stacks.ThreadDump;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedStackTrace;

/// Waits of 1 ms and more, summed from a flight recording by cause and place. They are a second
/// source, in addition to the thread dumps. They are exact, while dumps are samples. JFR has no
/// event for DNS lookups and none for selectors; parks of idle threads are left out.
public final class FlightWaits {
    /// Maximum number of places that are reported.
    private static final int MAX = 20;

    /// Maximum number of ports of one host, or files of one folder, that are listed separately.
    private static final int FEW = 4;

    private FlightWaits() {}

    /// @param family the common part of the names of similar places: the host of a port, the folder
    ///   of a file
    private record Key(Cause cause, String where, Optional<String> family) {
        Key(Cause cause, String where) {
            this(cause, where, Optional.empty());
        }
    }

    /// @param meanMs mean length of one wait
    /// @param squares sum of the squared deviations from the mean, in ms²
    private record Sum(long count, double meanMs, double squares) {
        static Sum of(Duration wait) {
            return new Sum(1, wait.toNanos() / 1e6, 0);
        }

        /// Adds two sums by the update of Chan, Golub and LeVeque (1979). A plain sum of squares
        /// would lose its precision for long waits that differ little.
        Sum plus(Sum other) {
            long all = count + other.count;
            double apart = other.meanMs - meanMs;
            return new Sum(
                    all,
                    meanMs + apart * other.count / all,
                    squares + other.squares + apart * apart * count * other.count / all);
        }

        double ms() {
            return meanMs * count;
        }

        WaitLength length() {
            return new WaitLength(meanMs, count > 1 ? Math.sqrt(squares / (count - 1)) : 0);
        }
    }

    /// @param qps requests per second during that time
    public static List<Wait> read(
            Path recording, Instant from, Instant to, int concurrency, double qps, Frames frames)
            throws IOException {
        var classifier = new StackClassifier(frames);
        Map<Key, Sum> sums = new HashMap<>();
        RecordedEvents.each(
                recording,
                event -> {
                    if (!event.getStartTime().isBefore(from) && event.getStartTime().isBefore(to)) {
                        key(event, classifier)
                                .ifPresent(
                                        k -> sums.merge(k, Sum.of(event.getDuration()), Sum::plus));
                    }
                });
        Map<Key, Sum> joined = joined(sums);
        double requests = qps * Duration.between(from, to).toNanos() / 1e9;
        List<Wait> waits = new ArrayList<>();
        joined.forEach((k, s) ->
                waits.add(
                        new Wait(
                                concurrency,
                                k.cause(),
                                k.where(),
                                s.count(),
                                requests <= 0 ? 0 : s.ms() / requests,
                                Optional.of(s.length()))));
        waits.sort(Comparator.comparingDouble(Wait::perRequestMs).reversed());
        return waits.stream().limit(MAX).toList();
    }

    /// Joins the ports of one host, or the files of one folder, if there are more than {@link
    /// #FEW}. Many ports of one host usually belong to clients, each with its own port. In a folder
    /// with many files, a single file is seldom of interest.
    private static Map<Key, Sum> joined(Map<Key, Sum> sums) {
        Map<Key, Integer> members = new HashMap<>();
        sums.keySet().stream()
                .flatMap(k -> family(k).stream())
                .forEach(f -> members.merge(f, 1, Integer::sum));
        Map<Key, Sum> joined = new HashMap<>();
        sums.forEach((k, sum) -> {
            Key key =
                    family(k)
                            .filter(f -> members.getOrDefault(f, 0) > FEW)
                            .map(f -> new Key(f.cause(), all(f, members.getOrDefault(f, 0))))
                            .orElse(k);
            joined.merge(key, sum, Sum::plus);
        });
        return joined;
    }

    private static String all(Key family, int members) {
        return family.where()
                + ", "
                + members
                + (family.cause() == Cause.DISK ? " files" : " ports");
    }

    private static Optional<Key> family(Key key) {
        return key.family().map(f -> new Key(key.cause(), f));
    }

    private static Optional<Key> key(RecordedEvent event, StackClassifier classifier) {
        return switch (event.getEventType().getName()) {
            case "jdk.SocketRead" ->
                    busy(event, classifier, ThreadDump.State.RUNNABLE)
                            .map(d ->
                                    peer(
                                            d.cause() == Cause.DATABASE
                                                    ? Cause.DATABASE
                                                    : Cause.DOWNSTREAM,
                                            event));
            case "jdk.SocketWrite" -> Optional.of(peer(Cause.NETWORK, event));
            case "jdk.FileRead", "jdk.FileWrite" ->
                    Optional.of(
                            ofALog(event, classifier, ThreadDump.State.RUNNABLE)
                                    .orElseGet(() -> file("", path(event))));
            case "jdk.FileForce" -> Optional.of(file("force ", path(event)));
            case "jdk.JavaMonitorEnter" ->
                    Optional.of(
                            ofALog(event, classifier, ThreadDump.State.BLOCKED)
                                    .orElseGet(() ->
                                            new Key(
                                                    Cause.LOCK,
                                                    lock(
                                                            event,
                                                            busy(
                                                                    event,
                                                                    classifier,
                                                                    ThreadDump.State.BLOCKED)))));
            case "jdk.ThreadPark" ->
                    ofALog(event, classifier, ThreadDump.State.WAITING)
                            .or(() ->
                                    busy(event, classifier, ThreadDump.State.WAITING)
                                            .map(d -> new Key(d.cause(), parkedAt(event, d))));
            case "jdk.ThreadSleep" ->
                    busy(event, classifier, ThreadDump.State.RUNNABLE)
                            .map(d -> new Key(Cause.SLEEP, sleepIn(d.place()).text()));
            default -> Optional.empty();
        };
    }

    /// The log in which a thread waits, named as in dumps, whatever it waits for there. Empty for a
    /// wait outside of any log.
    private static Optional<Key> ofALog(
            RecordedEvent event, StackClassifier classifier, ThreadDump.State state) {
        boolean writes = event.getEventType().getName().equals("jdk.FileWrite");
        return busy(event, classifier, state)
                .map(ThreadActivity::place)
                .filter(Place.Log.class::isInstance)
                .map(Place.Log.class::cast)
                .map(log ->
                        new Place.Log(
                                log.library(),
                                writes ? Place.LogStep.WRITING : log.step(),
                                log.lock()
                                        .map(_ ->
                                                new Place.Lock(
                                                        waitedFor(event),
                                                        Optional.empty(),
                                                        Optional.empty())),
                                log.frame()))
                .map(log -> new Key(Cause.LOGGING, log.text()));
    }

    /// The class of the lock; the recording does not identify the object.
    private static Optional<String> waitedFor(RecordedEvent event) {
        return Stream.of("monitorClass", "parkedClass")
                .filter(event::hasField)
                .flatMap(
                        field -> Optional.<RecordedClass>ofNullable(event.getClass(field)).stream())
                .map(type -> StackClassifier.lockClass(type.getName()))
                .findFirst();
    }

    private static String path(RecordedEvent event) {
        String path = event.getString("path");
        return path == null ? "a stream without a path, such as standard output" : path;
    }

    /// A lock by its class and by the code that waits for it, named as in dumps.
    private static String lock(RecordedEvent event, Optional<ThreadActivity> doing) {
        return new Place.Lock(
                        waitedFor(event), Optional.empty(), doing.flatMap(d -> d.place().inFrame()))
                .text();
    }

    private static String parkedAt(RecordedEvent event, ThreadActivity doing) {
        return doing.cause() == Cause.LOCK && waitedFor(event).isPresent()
                ? lock(event, Optional.of(doing))
                : doing.place().text();
    }

    /// The place of a sleep. The classifier gets the thread as RUNNABLE, so it may return only the
    /// code. The event shows that the thread sleeps.
    private static Place sleepIn(Place place) {
        return place.is(Place.Activity.SLEEP)
                ? place
                : new Place.Common(Place.Activity.SLEEP, place.inFrame());
    }

    private static Key peer(Cause cause, RecordedEvent event) {
        String address = event.getString("address");
        String host = address == null || address.isEmpty() ? event.getString("host") : address;
        return new Key(
                cause,
                host + ":" + event.getInt("port"),
                cause == Cause.DATABASE ? Optional.empty() : Optional.of(host));
    }

    private static Key file(String how, String path) {
        int folder = path.lastIndexOf('/');
        return new Key(
                Cause.DISK,
                how + path,
                folder <= 0 ? Optional.empty() : Optional.of(how + path.substring(0, folder)));
    }

    /// Activity of a thread with the stack of the event; empty when the thread waits for a request.
    private static Optional<ThreadActivity> busy(
            RecordedEvent event, StackClassifier classifier, ThreadDump.State state) {
        RecordedStackTrace trace = event.getStackTrace();
        return trace == null
                ? Optional.empty()
                : classifier
                        .classify(FlightStack.thread("", state, FlightStack.frames(trace)))
                        .doing();
    }
}
