package dev.jdyno.measure;

import dev.jdyno.measure.service.ServiceFigures;
import dev.jdyno.measure.text.Secrets;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Library;
import dev.jdyno.measure.thread.LoggingCost;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.thread.SourceLine;
import dev.jdyno.measure.thread.StageTimes;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;

/// What instruments found inside the target in separate windows, at the loads of the diagnostic
/// windows.
///
/// @param profiles flame graphs by kind and load
/// @param stages times of the methods that the user named
/// @param grown what a request costs more at the higher load, largest first
/// @param logging expensive parts of the logging configuration, if threads were busy logging
/// @param waits sums of the flight recording's waits by cause and place
/// @param since what a request costs more than in an earlier run, largest first
/// @param allocations what a request allocates by class and place, largest first
/// @param exceptions exceptions by class, place and load, the most frequent first
/// @param pinned reasons why virtual threads pin their carriers, by load, the largest first
/// @param missing what could not be measured, each with the reason
/// @param sources source lines of the methods that the thread samples name
/// @param libraries libraries with frames in the flame graphs, except the JDK; all other Java
///   frames belong to the application
/// @param calls how often a request waits for answers, by the line that waits, most often first
/// @param origins places where thread pools get their tasks, or where their threads are created
/// @param service the service's own metrics, one entry for each round or window
public record Insight(
        List<Profile> profiles,
        List<StageTimes> stages,
        List<Grown> grown,
        List<LoggingCost> logging,
        List<Wait> waits,
        List<Grown> since,
        List<Allocation> allocations,
        List<Thrown> exceptions,
        List<Pinned> pinned,
        List<Unseen> missing,
        List<SourceLine> sources,
        List<Library> libraries,
        List<CallRate> calls,
        List<PoolOrigin> origins,
        List<ServiceFigures> service) {
    public static final Insight NONE = new Insight(List.of(), List.of(), List.of(), List.of());

    /// A method whose own time per request differs between two profiles.
    ///
    /// @param kind CPU or wall
    /// @param beforeMs the method's own time per request in the first profile; `afterMs` is its
    ///   time in the second
    public record Grown(Profile.Kind kind, String method, double beforeMs, double afterMs) {
        public double byMs() {
            return afterMs - beforeMs;
        }
    }

    /// Waits of 1 ms and more at one place, summed.
    ///
    /// @param count number of events
    /// @param perRequestMs sum of the waits ÷ number of requests, in ms; 0 if requests were not
    ///   counted
    /// @param length length of one wait; empty in recordings that have only the sum
    public record Wait(
            int concurrency,
            Cause cause,
            String where,
            long count,
            double perRequestMs,
            Optional<WaitLength> length) {}

    /// How long waits at one place last, in ms.
    ///
    /// @param stdDevMs standard deviation of one wait; 0 for a single one
    public record WaitLength(double meanMs, double stdDevMs) {}

    /// Waits of 1 ms and more for answers, at one line: answers of other services, databases or
    /// tasks.
    ///
    /// @param concurrency the load's concurrency in the window
    /// @param at the line of the application that waits; its samples are the waits
    /// @param perRequest waits ÷ requests
    /// @param meanMs mean length of one wait
    public record CallRate(
            int concurrency, Cause cause, SourceLine at, double perRequest, double meanMs) {}

    /// The origin of a thread pool.
    ///
    /// @param pool name of the pool as in the thread samples
    /// @param at the line of the application that started most of the pool's threads: it submits a
    ///   task, or creates the threads. Its samples are threads.
    public record PoolOrigin(String pool, SourceLine at) {}

    /// Allocations at one place.
    ///
    /// @param concurrency the load's concurrency in the window
    /// @param site the innermost method that is not the JDK's own
    /// @param samples number of allocation samples at this place
    /// @param share share of all allocated bytes, 0…1
    /// @param bytesPerRequest bytes according to the samples, which often differ from {@link
    ///   #bytes}; 0 when requests were not counted
    public record Allocation(
            int concurrency,
            String type,
            String site,
            long samples,
            double share,
            double bytesPerRequest) {
        /// Bytes that a request allocates at this place: the place's share of the bytes per request
        /// that the collector counted. Without that count it is the figure of the samples. A sample
        /// stands for all bytes that its thread allocated since its last sample, so their sum may
        /// be several times too large.
        public double bytes(List<Round> rounds) {
            return counted(rounds).map(bytes -> share * bytes).orElse(bytesPerRequest);
        }

        /// Bytes that a whole request allocates at the load of the samples, from the collector's
        /// counters; empty if the collector counted none there.
        public Optional<Double> counted(List<Round> rounds) {
            return rounds.stream()
                    .filter(r -> r.concurrency() == concurrency)
                    .flatMap(r -> r.gc().stream())
                    .flatMap(gc -> gc.requestBytes().stream())
                    .filter(bytes -> bytes > 0)
                    .findFirst();
        }
    }

    /// Exceptions and errors of one class that are created at one place.
    ///
    /// @param concurrency the load's concurrency in the window
    /// @param site the place, and the method of the application: `java.lang.Integer.parseInt in
    ///   com.acme.Page.get`
    /// @param samples number of samples at this place
    /// @param share share of all exceptions created, 0…1
    /// @param perSecond exceptions created at this place per second
    /// @param perRequest 0 when requests were not counted
    public record Thrown(
            int concurrency,
            String type,
            String site,
            long samples,
            double share,
            double perSecond,
            double perRequest) {
        /// The same exceptions at a known load.
        ///
        /// @param qps requests per second during that time
        public Thrown at(int concurrency, double qps) {
            return new Thrown(
                    concurrency,
                    type,
                    site,
                    samples,
                    share,
                    perSecond,
                    qps <= 0 ? 0 : perSecond / qps);
        }
    }

    /// Virtual threads that wait at one place and pin their carriers.
    ///
    /// @param concurrency the load's concurrency in the window
    /// @param site the method in which the thread waits, and the method of the application
    /// @param by what pins the carrier
    /// @param reason the cause in words, as the JVM reports it or the stack shows it
    /// @param count number of waits of 1 ms and more
    /// @param threads mean number of threads that were pinned here: thread-seconds per second
    /// @param perRequestMs carrier time per request; 0 when requests were not counted
    public record Pinned(
            int concurrency,
            String site,
            By by,
            String reason,
            long count,
            double threads,
            double perRequestMs) {
        /// The cause that pins a carrier.
        public enum By {
            /// A monitor that the thread holds or waits for (JDK 21 to 23; JEP 491 ended this in
            /// 24).
            MONITOR("monitor"),
            /// A native method or a frame of the JVM itself on the stack.
            NATIVE_FRAME("native-frame"),
            /// The initialisation of a class, by this thread or by another one.
            CLASS_INITIALISER("class-initializer"),
            UNKNOWN("unknown");

            private final String key;

            By(String key) {
                this.key = key;
            }

            /// The key in a result.
            public String key() {
                return key;
            }
        }
    }

    /// Exceptions that a request creates at all places. Only the most frequent places are listed,
    /// so the sum is computed from one place's rate and its share.
    ///
    /// @param listed exceptions at one load
    /// @return 0 when there are none or requests were not counted
    public static double exceptionsPerRequest(List<Thrown> listed) {
        return listed.isEmpty() ? 0 : listed.getFirst().perRequest() / listed.getFirst().share();
    }

    /// The exceptions at the highest load that was examined, the most frequent first.
    public List<Thrown> exceptionsAtHighestLoad() {
        int max = exceptions.stream().mapToInt(Thrown::concurrency).max().orElse(0);
        return exceptions.stream().filter(t -> t.concurrency() == max).toList();
    }

    /// The findings at one load. If a kind of finding was not examined at that load, its findings
    /// at all other loads are used.
    public Insight at(int concurrency) {
        return with(
                profiles.stream()
                        .filter(p ->
                                p.concurrency() == concurrency
                                        || profiles.stream()
                                                .noneMatch(o ->
                                                        o.kind() == p.kind()
                                                                && o.concurrency() == concurrency))
                        .toList(),
                grown,
                since,
                at(allocations, Allocation::concurrency, concurrency),
                at(exceptions, Thrown::concurrency, concurrency),
                at(service, ServiceFigures::concurrency, concurrency));
    }

    private static <T> List<T> at(List<T> all, ToIntFunction<T> load, int concurrency) {
        List<T> there = all.stream().filter(x -> load.applyAsInt(x) == concurrency).toList();
        return there.isEmpty() ? all : there;
    }

    public Insight {
        profiles = List.copyOf(profiles);
        stages = List.copyOf(stages);
        grown = List.copyOf(grown);
        logging = List.copyOf(logging);
        waits = List.copyOf(waits);
        since = List.copyOf(since);
        allocations = List.copyOf(allocations);
        exceptions = List.copyOf(exceptions);
        pinned = List.copyOf(pinned);
        missing =
                missing.stream()
                        .map(m ->
                                new Unseen(
                                        m.source(), Secrets.text(m.why()), Secrets.text(m.fix())))
                        .toList();
        sources = List.copyOf(sources);
        libraries = List.copyOf(libraries);
        calls = List.copyOf(calls);
        origins = List.copyOf(origins);
        service = List.copyOf(service);
    }

    /// An insight without the service's own metrics.
    public Insight(
            List<Profile> profiles,
            List<StageTimes> stages,
            List<Grown> grown,
            List<LoggingCost> logging,
            List<Wait> waits,
            List<Grown> since,
            List<Allocation> allocations,
            List<Thrown> exceptions,
            List<Pinned> pinned,
            List<Unseen> missing,
            List<SourceLine> sources,
            List<Library> libraries,
            List<CallRate> calls,
            List<PoolOrigin> origins) {
        this(
                profiles,
                stages,
                grown,
                logging,
                waits,
                since,
                allocations,
                exceptions,
                pinned,
                missing,
                sources,
                libraries,
                calls,
                origins,
                List.of());
    }

    /// An insight without call rates and origins of pools.
    public Insight(
            List<Profile> profiles,
            List<StageTimes> stages,
            List<Grown> grown,
            List<LoggingCost> logging,
            List<Wait> waits,
            List<Grown> since,
            List<Allocation> allocations,
            List<Thrown> exceptions,
            List<Pinned> pinned,
            List<Unseen> missing,
            List<SourceLine> sources,
            List<Library> libraries) {
        this(
                profiles,
                stages,
                grown,
                logging,
                waits,
                since,
                allocations,
                exceptions,
                pinned,
                missing,
                sources,
                libraries,
                List.of(),
                List.of());
    }

    /// An insight without an examination of the logging.
    public Insight(
            List<Profile> profiles,
            List<StageTimes> stages,
            List<Grown> grown,
            List<Unseen> missing) {
        this(
                profiles, stages, grown, List.of(), List.of(), List.of(), List.of(), List.of(),
                List.of(), missing, List.of(), List.of());
    }

    /// The same insight with the service's own metrics.
    public Insight withService(List<ServiceFigures> read) {
        return with(profiles, grown, since, allocations, exceptions, read);
    }

    /// The same insight with other flame graphs.
    public Insight withProfiles(List<Profile> found) {
        return with(found, grown, since, allocations, exceptions);
    }

    /// The same insight with other exceptions, of all loads.
    public Insight withExceptions(List<Thrown> found) {
        return with(profiles, grown, since, allocations, found);
    }

    /// The same insight without the places that have fewer allocation or exception samples than a
    /// minimum.
    public Insight withSamplesFrom(int min) {
        return with(
                profiles,
                grown,
                since,
                allocations.stream().filter(a -> a.samples() >= min).toList(),
                exceptions.stream().filter(t -> t.samples() >= min).toList());
    }

    /// The same insight with the added cost of a request compared with an earlier run.
    public Insight withSince(List<Grown> found) {
        return with(profiles, grown, found, allocations, exceptions);
    }

    /// The same insight with the added cost of a request at the higher load.
    public Insight withGrown(List<Grown> found) {
        return with(profiles, found, since, allocations, exceptions);
    }

    private Insight with(
            List<Profile> ofProfiles,
            List<Grown> ofGrown,
            List<Grown> ofSince,
            List<Allocation> ofAllocations,
            List<Thrown> ofExceptions) {
        return with(ofProfiles, ofGrown, ofSince, ofAllocations, ofExceptions, service);
    }

    private Insight with(
            List<Profile> ofProfiles,
            List<Grown> ofGrown,
            List<Grown> ofSince,
            List<Allocation> ofAllocations,
            List<Thrown> ofExceptions,
            List<ServiceFigures> ofService) {
        return new Insight(
                ofProfiles,
                stages,
                ofGrown,
                logging,
                waits,
                ofSince,
                ofAllocations,
                ofExceptions,
                pinned,
                missing,
                sources,
                libraries,
                calls,
                origins,
                ofService);
    }
}
