package dev.jdyno.measure.watch;

import dev.jdyno.measure.service.EndpointNames;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.text.Secrets;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Headroom;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One minute of a watched service: its figures and the verdict.
///
/// @param at begin of the minute on the wall clock
/// @param seconds observed time on the monotonic clock. It is less than 60 at the beginning and the
///   end of a watch, and more if jdyno itself was stopped.
/// @param clockJumpS seconds by which the wall clock was set forward (negative: back) in it; 0 if
///   it was not set
/// @param stoppedS seconds for which the service was stopped (SIGSTOP, debugger, frozen group)
/// @param service name of the service
/// @param cpu empty if the CPU was not measured
/// @param requests empty if no source counted requests
/// @param inFlight mean number of requests in the service; empty if unknown
/// @param gc empty if the collector's counters cannot be read
/// @param pools pools of the service's own metrics, the fullest first, at most {@link #MAX_POOLS}
/// @param poolsLeftOut number of further pools
/// @param headroom empty if no limit is known
/// @param detail figures that a day file does not keep
public record WatchedMinute(
        Instant at,
        double seconds,
        double clockJumpS,
        double stoppedS,
        String service,
        long pid,
        Optional<Cpu> cpu,
        Optional<Requests> requests,
        Optional<Double> inFlight,
        Optional<Gc> gc,
        List<PoolFigures> pools,
        int poolsLeftOut,
        Dumps dumps,
        Named verdict,
        Optional<Room> headroom,
        Detail detail) {
    /// Maximum number of pools of a minute. A service has few; more only make the files grow.
    public static final int MAX_POOLS = 16;

    /// Minimum length of a minute that counts, in seconds. Shorter ones are the beginning or the
    /// end of a watch or of a JVM.
    public static final double MIN_S = 30;

    /// Maximum length of a text from the service.
    private static final int MAX_TEXT = 200;

    public WatchedMinute {
        pools = List.copyOf(pools);
    }

    /// A minute as a day file keeps it.
    public WatchedMinute(
            Instant at,
            double seconds,
            double clockJumpS,
            double stoppedS,
            String service,
            long pid,
            Optional<Cpu> cpu,
            Optional<Requests> requests,
            Optional<Double> inFlight,
            Optional<Gc> gc,
            List<PoolFigures> pools,
            int poolsLeftOut,
            Dumps dumps,
            Named verdict,
            Optional<Room> headroom) {
        this(
                at,
                seconds,
                clockJumpS,
                stoppedS,
                service,
                pid,
                cpu,
                requests,
                inFlight,
                gc,
                pools,
                poolsLeftOut,
                dumps,
                verdict,
                headroom,
                Detail.NONE);
    }

    /// End of the minute on the wall clock, if that was not set in it.
    public Instant end() {
        return at.plusMillis(Math.round(1000 * seconds));
    }

    /// The same minute with figures that a day file does not keep.
    public WatchedMinute with(Detail more) {
        return new WatchedMinute(
                at,
                seconds,
                clockJumpS,
                stoppedS,
                service,
                pid,
                cpu,
                requests,
                inFlight,
                gc,
                pools,
                poolsLeftOut,
                dumps,
                verdict,
                headroom,
                more);
    }

    /// Text from the service as one line of at most 200 characters, with secrets masked.
    private static String clean(String text) {
        String line = Printable.line(Secrets.text(text));
        return line.length() <= MAX_TEXT ? line : line.substring(0, MAX_TEXT - 1) + "…";
    }

    /// CPU of the service and of its machine.
    ///
    /// @param cores CPU of the service, in cores
    /// @param availableCores cores that it could have used, at least `cores`
    /// @param allCores cores that it may use at all, by machine, affinity and quota; empty if
    ///   unknown
    /// @param machinePct busy share of the machine, in percent
    /// @param stealPct share that the hypervisor took, in percent
    /// @param throttledPct share of the core time demanded that a quota refused, in percent
    public record Cpu(
            double cores,
            double availableCores,
            Optional<Double> allCores,
            double machinePct,
            double stealPct,
            double throttledPct) {
        /// CPU of the service as a share of the cores that it could have used, 0…1.
        public double utilisation() {
            return availableCores <= 0 ? 0 : cores / availableCores;
        }
    }

    /// Requests of the minute.
    ///
    /// @param from the source of the count, as in `throughputFrom` of `diagnose --json`
    /// @param meanMs mean response time inside the service; empty if unknown
    /// @param cpuMs CPU time of one request, in ms; empty if the CPU was not measured or there were
    ///   no requests
    public record Requests(
            double perS, String from, Optional<Double> meanMs, Optional<Double> cpuMs) {
        public Requests {
            from = clean(from);
        }
    }

    /// @param pauseShare share of the time in which the collector stopped the service, 0…1
    /// @param full number of full collections
    public record Gc(double pauseShare, Optional<Double> allocBytesPerS, long full) {}

    /// One pool of the service's own metrics; a figure that it does not report is empty.
    public record PoolFigures(
            String name,
            String library,
            Optional<Double> max,
            Optional<Double> inUse,
            Optional<Double> waiting) {
        public PoolFigures {
            name = clean(name);
            library = clean(library);
        }

        /// Members in use as a share of the maximum, 0…1; empty if one of both is unknown.
        public Optional<Double> use() {
            return max.filter(m -> m > 0).flatMap(m -> inUse.map(n -> Math.min(1, n / m)));
        }
    }

    /// The thread dumps of the minute.
    ///
    /// @param longestPauseMs the longest stop of the service by a dump
    public record Dumps(int count, double longestPauseMs) {}

    /// The verdict of the minute.
    ///
    /// @param where as in {@link dev.jdyno.measure.verdict.Verdict}
    public record Named(Bottleneck bottleneck, String where, double confidence) {
        public Named {
            where = clean(where);
        }
    }

    /// The first limit of the last half hour, by the utilisation law.
    ///
    /// @param name name of the pool; `cpu` for the CPU
    /// @param ratio limit as a multiple of the mean throughput of the half hour
    /// @param limitPerS requests per second at which it is saturated
    /// @param ci95 95 % interval of `limitPerS`
    public record Room(
            Headroom.Kind kind, String name, double ratio, double limitPerS, Interval ci95) {
        public Room {
            name = clean(name);
        }
    }

    /// @param breakdownMs time of one request by cause, in ms; empty if it is unknown
    /// @param unexplainedMs the rest of the response time
    /// @param routes the busiest routes, at most {@link #MAX_ROUTES}, and {@link Route#OTHER} for
    ///   all others; empty if the service does not count requests by route
    public record Detail(Map<Cause, Double> breakdownMs, double unexplainedMs, List<Route> routes) {
        public static final Detail NONE = new Detail(Map.of(), 0, List.of());

        /// Maximum number of routes of a minute beside {@link Route#OTHER}.
        public static final int MAX_ROUTES = 20;

        public Detail {
            breakdownMs = Map.copyOf(breakdownMs);
            routes = List.copyOf(routes);
        }
    }

    /// Requests of one route, whatever their status.
    ///
    /// @param name as the service names it, with the method: `GET /orders/{id}`
    /// @param meanMs mean time of a request inside the service
    public record Route(String name, double perS, double meanMs) {
        /// Name of the sum of all other routes.
        public static final String OTHER = "other";

        public Route {
            name = EndpointNames.shortened(name);
        }
    }
}
