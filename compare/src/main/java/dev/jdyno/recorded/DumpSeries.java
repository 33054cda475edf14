package dev.jdyno.recorded;

import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.stacks.ThreadDump;
import dev.jdyno.observe.stacks.ThreadTimes;
import dev.jdyno.observe.threads.VirtualSample;
import dev.jdyno.observe.threads.VirtualThreads;
import dev.jdyno.observe.window.RecordedDumps;
import dev.jdyno.observe.window.ThreadCpu;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The thread dumps for a diagnosis, in order of time. Text dumps are preferred, because they have
/// locks, states and CPU times. JSON dumps add virtual threads.
final class DumpSeries {
    private static final int QUARTER_S = 900;
    private static final int EAST_QUARTERS = 14 * 4;
    private static final int WEST_QUARTERS = 12 * 4;

    private final List<RecordedDump> texts;
    private final List<FoundRecords.Json> json;
    private final ZoneOffset zone;
    private final boolean moved;
    private final List<FoundRecords.Flight> flights;
    private final List<String> otherJvms;

    private DumpSeries(
            List<RecordedDump> texts,
            List<FoundRecords.Json> json,
            ZoneOffset zone,
            boolean moved,
            List<FoundRecords.Flight> flights,
            List<String> otherJvms) {
        this.texts = texts;
        this.json = json;
        this.zone = zone;
        this.moved = moved;
        this.flights = flights;
        this.otherJvms = List.copyOf(otherJvms);
    }

    static DumpSeries of(FoundRecords found) {
        List<RecordedDump> all = new ArrayList<>(found.dumps());
        if (all.isEmpty()) {
            all.addAll(found.dumpsOfFlights());
        }
        Optional<ZoneOffset> fits = zone(all, spans(found));
        ZoneOffset own = own(all);
        ZoneOffset zone = fits.orElse(own);
        List<RecordedDump> sorted = new ArrayList<>(all);
        // dumps without a time stay in the order of their files
        sorted.sort(Comparator.comparing(d -> d.time(zone).orElse(Instant.MAX)));
        List<String> others = new ArrayList<>();
        List<RecordedDump> ofOne = OneJvm.of(sorted, zone, others);
        List<FoundRecords.Json> json =
                found.json().stream()
                        .sorted(Comparator.comparing(j -> j.dump().at().orElse(Instant.MAX)))
                        .toList();
        return new DumpSeries(ofOne, json, zone, !zone.equals(own), found.flights(), others);
    }

    private static List<TimeSpan> spans(FoundRecords found) {
        return Stream.of(
                        found.flights().stream().flatMap(f -> f.span().stream()),
                        found.gcLogs().stream()
                                .filter(g -> g.events().dated())
                                .flatMap(g -> g.events().span().stream()),
                        found.accessLogs().stream().flatMap(a -> a.times().span().stream()))
                .flatMap(s -> s)
                .toList();
    }

    private static ZoneOffset own(List<RecordedDump> dumps) {
        return dumps.stream()
                .flatMap(d -> d.local().stream())
                .findFirst()
                .map(l -> l.atZone(ZoneId.systemDefault()).toOffsetDateTime())
                .map(OffsetDateTime::getOffset)
                .orElse(ZoneOffset.UTC);
    }

    /// The time zone in which most dumps fall into the time of the other files. Of equally good
    /// zones, it is the one nearest to the zone of this host. Empty if there is none.
    private static Optional<ZoneOffset> zone(List<RecordedDump> dumps, List<TimeSpan> others) {
        List<RecordedDump> local = dumps.stream().filter(d -> d.local().isPresent()).toList();
        if (local.isEmpty() || others.isEmpty()) {
            return Optional.empty();
        }
        int ours = own(dumps).getTotalSeconds();
        return Stream.iterate(-WEST_QUARTERS, q -> q <= EAST_QUARTERS, q -> q + 1)
                .map(q -> ZoneOffset.ofTotalSeconds(q * QUARTER_S))
                .filter(z -> within(local, z, others) > 0)
                .max(
                        Comparator.<ZoneOffset>comparingLong(z -> within(local, z, others))
                                .thenComparing(
                                        Comparator.<ZoneOffset>comparingInt(
                                                        z -> Math.abs(z.getTotalSeconds() - ours))
                                                .reversed()));
    }

    private static long within(List<RecordedDump> dumps, ZoneOffset zone, List<TimeSpan> others) {
        return dumps.stream()
                .flatMap(d -> d.time(zone).stream())
                .mapToLong(at ->
                        others.stream()
                                .filter(o ->
                                        !at.isBefore(o.from().minusSeconds(1))
                                                && !at.isAfter(o.to().plusSeconds(1)))
                                .count())
                .sum();
    }

    boolean isEmpty() {
        return texts.isEmpty() && json.isEmpty();
    }

    int size() {
        return texts.isEmpty() ? json.size() : texts.size();
    }

    /// The zone of the dumps' host, if it is not our zone.
    Optional<ZoneOffset> otherZone() {
        return moved ? Optional.of(zone) : Optional.empty();
    }

    Optional<Instant> time(RecordedDump dump) {
        return dump.time(zone);
    }

    List<String> files() {
        return Stream.concat(
                        texts.stream().map(RecordedDump::file),
                        json.stream().map(FoundRecords.Json::file))
                .distinct()
                .toList();
    }

    /// Time from the first to the last dump; empty if fewer than two dumps have a time.
    Optional<TimeSpan> span() {
        List<Instant> times =
                (texts.isEmpty()
                                ? json.stream().flatMap(j -> j.dump().at().stream())
                                : texts.stream().flatMap(d -> d.time(zone).stream()))
                        .sorted()
                        .toList();
        return times.size() < 2 || times.getFirst().equals(times.getLast())
                ? Optional.empty()
                : Optional.of(new TimeSpan(times.getFirst(), times.getLast()));
    }

    /// Start of the JVM, by the age of its oldest thread; empty if the dumps have no times.
    Optional<Instant> jvmStart() {
        return texts.stream().flatMap(d -> d.jvmStart(zone).stream()).findFirst();
    }

    /// Lines about dumps that are not used because they are of another JVM.
    List<String> otherJvms() {
        return otherJvms;
    }

    Optional<String> jvm() {
        return texts.stream().flatMap(d -> d.jvm().stream()).findFirst();
    }

    Optional<String> version() {
        return texts.stream()
                .flatMap(d -> d.version().stream())
                .findFirst()
                .or(() -> json.stream().flatMap(j -> j.dump().version().stream()).findFirst());
    }

    /// True if virtual threads run and no dump shows them.
    boolean lacksVirtualThreads() {
        return json.isEmpty() && texts.stream().anyMatch(d -> VirtualThreads.runIn(d.dump()));
    }

    /// True if the dumps have no thread states, so that a thread that waits for a monitor looks as
    /// if it ran.
    boolean lacksStates() {
        return texts.isEmpty() && json.stream().anyMatch(j -> !j.dump().states());
    }

    /// True if the dumps have no CPU times.
    boolean lacksTimes() {
        return texts.stream().allMatch(d -> d.times().byTid().isEmpty());
    }

    private List<RecordedDumps.Dump> dumps() {
        List<RecordedDumps.Dump> all = new ArrayList<>();
        for (int i = 0; i < size(); i++) {
            if (texts.isEmpty()) {
                var dump = json.get(i).dump();
                all.add(
                        new RecordedDumps.Dump(
                                dump.platform(),
                                new ThreadTimes(Map.of()),
                                dump.virtual(),
                                peers(dump.platform())));
            } else {
                all.add(
                        new RecordedDumps.Dump(
                                texts.get(i).dump(),
                                texts.get(i).times(),
                                json.isEmpty()
                                        ? VirtualSample.NONE
                                        : json.get(i * json.size() / size()).dump().virtual(),
                                peers(texts.get(i).dump())));
            }
        }
        return all;
    }

    /// Peers of the threads, by the flight recordings. A recording of another moment can be used,
    /// because the same stack always reads from the same host and port.
    private Map<Integer, String> peers(ThreadDump dump) {
        Map<Integer, String> peers = new HashMap<>();
        for (int i = 0; i < dump.threads().size(); i++) {
            ThreadDump.JavaThread thread = dump.threads().get(i);
            if (thread.state() == ThreadDump.State.RUNNABLE) {
                for (FoundRecords.Flight f : flights) {
                    int at = i;
                    f.jvm().peer(thread.frames()).ifPresent(p -> peers.putIfAbsent(at, p));
                }
            }
        }
        return peers;
    }

    /// Time of the first dump that has one.
    Optional<Instant> first() {
        return texts.stream().flatMap(d -> d.time(zone).stream()).findFirst();
    }

    ZoneOffset zone() {
        return zone;
    }

    /// Names of the threads by the kernel's thread id.
    Map<Long, String> names() {
        Map<Long, String> names = new HashMap<>();
        texts.forEach(d -> names.putAll(d.names()));
        return names;
    }

    /// The dumps with the CPU of their threads.
    ///
    /// @param measured CPU by another source, for dumps without CPU times
    RecordedDumps recorded(Frames frames, Optional<ThreadCpu> measured) {
        return new RecordedDumps(frames, dumps(), measured);
    }
}
