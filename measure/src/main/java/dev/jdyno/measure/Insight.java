package dev.jdyno.measure;

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

/// What instruments saw inside the target in windows of their own, at the loads of the evidence
/// windows.
///
/// @param profiles flame graphs by kind and load
/// @param stages times of the methods that the user named
/// @param grown what a request costs more at the higher load, largest first
/// @param logging dear parts of the logging configuration, where threads were busy logging
/// @param waits sums of the flight recording's waits by cause and place
/// @param since what a request costs more than in an earlier run, largest first
/// @param allocations what a request allocates by class and place, largest first
/// @param exceptions which are made where, by load, the most frequent first
/// @param pinned what keeps virtual threads on their carriers, by load, the largest first
/// @param missing what could not be had, each with the reason
/// @param sources at which lines the methods stand that the thread samples name
/// @param libraries whose frames stand in the flame graphs, beside the JDK; all other Java frames
///   are the application's
/// @param calls how often a request waits for answers, by the line that waits, most often first
/// @param origins where pools of threads are given their tasks, or made
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
        List<PoolOrigin> origins) {
    public static final Insight NONE = new Insight(List.of(), List.of(), List.of(), List.of());

    /// A method whose own time per request differs between two profiles.
    ///
    /// @param kind CPU or wall
    /// @param beforeMs per request in the first, `afterMs` in the second
    public record Grown(Profile.Kind kind, String method, double beforeMs, double afterMs) {
        public double byMs() {
            return afterMs - beforeMs;
        }
    }

    /// Waits of 1 ms and more at one place, summed.
    ///
    /// @param count events
    /// @param perRequestMs their sum ÷ requests; 0 when those were not counted
    /// @param length of one of them; empty in recordings that have only the sum
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

    /// Answers of 1 ms and more that a request waits for at one line: of other services, of
    /// databases, of tasks.
    ///
    /// @param concurrency the load's concurrency in the window
    /// @param at the line of the application that waits; its samples are the waits
    /// @param perRequest waits ÷ requests
    /// @param meanMs how long one takes
    public record CallRate(
            int concurrency, Cause cause, SourceLine at, double perRequest, double meanMs) {}

    /// Where a pool comes from.
    ///
    /// @param pool as the thread samples name it
    /// @param at the line of the application at which most of its threads were started: where a
    ///   task was handed in, or where the threads are made; its samples are threads
    public record PoolOrigin(String pool, SourceLine at) {}

    /// What is allocated at one place.
    ///
    /// @param concurrency the load's concurrency in the window
    /// @param site the innermost method that is not the JDK's own
    /// @param samples how many were seen there
    /// @param share of all that was allocated, 0…1
    /// @param bytesPerRequest 0 when requests were not counted
    public record Allocation(
            int concurrency,
            String type,
            String site,
            long samples,
            double share,
            double bytesPerRequest) {}

    /// Exceptions and errors of one class that are made at one place.
    ///
    /// @param concurrency the load's concurrency in the window
    /// @param site where, and in which method of the application: `java.lang.Integer.parseInt in
    ///   com.acme.Page.get`
    /// @param samples how many were seen there
    /// @param share of all that are made, 0…1
    /// @param perSecond made here
    /// @param perRequest 0 when requests were not counted
    public record Thrown(
            int concurrency,
            String type,
            String site,
            long samples,
            double share,
            double perSecond,
            double perRequest) {
        /// The same under a load that is known.
        ///
        /// @param qps requests per second in that time
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

    /// Virtual threads that wait at one place and keep their carriers.
    ///
    /// @param concurrency the load's concurrency in the window
    /// @param site what waits, in which method of the application
    /// @param by what keeps the carrier
    /// @param reason the same in words, as the JVM tells it or its stack shows
    /// @param count waits of 1 ms and more
    /// @param threads that were pinned here, on average: thread-seconds per second
    /// @param perRequestMs of a carrier's time; 0 when requests were not counted
    public record Pinned(
            int concurrency,
            String site,
            By by,
            String reason,
            long count,
            double threads,
            double perRequestMs) {
        /// What keeps a carrier.
        public enum By {
            /// A monitor that the thread holds or waits for, until JDK 24 (JEP 491).
            MONITOR("monitor"),
            /// A native method, or the JVM itself, among its frames.
            NATIVE_FRAME("native-frame"),
            /// A class that it initialises, or that another thread does.
            CLASS_INITIALISER("class-initializer"),
            UNKNOWN("unknown");

            private final String key;

            By(String key) {
                this.key = key;
            }

            /// As it stands in a result.
            public String key() {
                return key;
            }
        }
    }

    /// All exceptions a request makes, by one place's share of them: of many places only the most
    /// frequent are listed.
    ///
    /// @param listed of one load
    /// @return 0 when there are none or requests were not counted
    public static double exceptionsPerRequest(List<Thrown> listed) {
        return listed.isEmpty() ? 0 : listed.getFirst().perRequest() / listed.getFirst().share();
    }

    /// Those at the highest load that was looked at, the most frequent first.
    public List<Thrown> exceptionsAtMostLoad() {
        int most = exceptions.stream().mapToInt(Thrown::concurrency).max().orElse(0);
        return exceptions.stream().filter(t -> t.concurrency() == most).toList();
    }

    /// What was seen at one load, of each kind that was looked at there; of another kind what was
    /// seen at any load.
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
                at(exceptions, Thrown::concurrency, concurrency));
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
        missing = missing.stream().map(m -> new Unseen(m.source(), Secrets.text(m.why()))).toList();
        sources = List.copyOf(sources);
        libraries = List.copyOf(libraries);
        calls = List.copyOf(calls);
        origins = List.copyOf(origins);
    }

    /// Without how often a request calls, and where pools come from.
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

    /// Without a look at the logging.
    public Insight(
            List<Profile> profiles,
            List<StageTimes> stages,
            List<Grown> grown,
            List<Unseen> missing) {
        this(
                profiles, stages, grown, List.of(), List.of(), List.of(), List.of(), List.of(),
                List.of(), missing, List.of(), List.of());
    }

    /// With other flame graphs.
    public Insight withProfiles(List<Profile> found) {
        return with(found, grown, since, allocations, exceptions);
    }

    /// With other exceptions, of all loads.
    public Insight withExceptions(List<Thrown> found) {
        return with(profiles, grown, since, allocations, found);
    }

    /// Without the places of allocations and exceptions that fewer samples show.
    public Insight withSamplesFrom(int least) {
        return with(
                profiles,
                grown,
                since,
                allocations.stream().filter(a -> a.samples() >= least).toList(),
                exceptions.stream().filter(t -> t.samples() >= least).toList());
    }

    /// With what a request costs more than in an earlier run.
    public Insight withSince(List<Grown> found) {
        return with(profiles, grown, found, allocations, exceptions);
    }

    /// With what a request costs more at the higher load.
    public Insight withGrown(List<Grown> found) {
        return with(profiles, found, since, allocations, exceptions);
    }

    private Insight with(
            List<Profile> ofProfiles,
            List<Grown> ofGrown,
            List<Grown> ofSince,
            List<Allocation> ofAllocations,
            List<Thrown> ofExceptions) {
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
                origins);
    }
}
