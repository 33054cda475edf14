package dev.jdyno.measure.verdict;

import dev.jdyno.measure.statistics.Interval;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// How much more load a service will take, by the utilisation law over windows of natural traffic.
/// Resources that such windows do not measure may limit earlier ({@link #noLimitSeen}).
///
/// @param cpu CPU of the process
/// @param mix the CPU that requests to each endpoint take; `cpu` is then the limit for the mean mix
///   of all windows. Empty if one demand for all requests describes the windows as well.
/// @param pools pools of known size that requests used, the earliest limit first
/// @param disks disks with the service's files that had work, the earliest limit first
/// @param idleDisks number of disks with the service's files that were observed and had no work
/// @param first the CPU or the pool that is saturated first; empty if no limit of them is known
/// @param times response times at higher load; empty if no limit or no response time is known
public record Headroom(
        Limit cpu,
        Optional<Mix> mix,
        List<PoolLimit> pools,
        List<DiskLimit> disks,
        int idleDisks,
        Optional<First> first,
        List<TimeAt> times) {
    public Headroom {
        pools = List.copyOf(pools);
        disks = List.copyOf(disks);
        times = List.copyOf(times);
    }

    /// The headroom of windows in which neither endpoints nor disks were observed.
    public Headroom(Limit cpu, List<PoolLimit> pools, Optional<First> first, List<TimeAt> times) {
        this(cpu, Optional.empty(), pools, List.of(), 0, first, times);
    }

    /// The resources that the windows do not measure. They did not limit the service at the highest
    /// use of the first resource. Empty if no first resource is known.
    public Optional<NoLimitSeen> noLimitSeen() {
        List<Hidden> hidden =
                disks.isEmpty() && idleDisks == 0
                        ? List.of(Hidden.LOCKS, Hidden.DOWNSTREAM, Hidden.DISKS)
                        : List.of(Hidden.LOCKS, Hidden.DOWNSTREAM);
        return first.map(f -> new NoLimitSeen(hidden, f.known().highestUtilisation()));
    }

    /// The requests/s at which one resource is saturated, or why they are unknown.
    public sealed interface Limit {}

    /// @param limitPerS requests/s at which all units of the resource are in use
    /// @param ci95 95 % interval of `limitPerS`
    /// @param demandMs time for which a request uses one unit
    /// @param demandCi95 95 % interval of `demandMs`
    /// @param base units in use without requests
    /// @param available median of the units that requests could have used
    /// @param windowS mean length of a window, in seconds
    /// @param perS mean throughput of all windows
    /// @param busiestPerS throughput of the busiest window
    /// @param highestUtilisation use in the busiest windows (95 % quantile), as a share of
    ///   `available`
    /// @param windows number of windows that the law was fitted to
    public record Known(
            double limitPerS,
            Interval ci95,
            double demandMs,
            Interval demandCi95,
            double base,
            double available,
            double windowS,
            double perS,
            double busiestPerS,
            double highestUtilisation,
            int windows)
            implements Limit {
        /// Limit as a multiple of the mean throughput.
        public double timesNow() {
            return limitPerS / perS;
        }

        /// Limit as a multiple of the busiest window's throughput.
        public double timesBusiest() {
            return limitPerS / busiestPerS;
        }

        /// Half of the interval, as a share of the limit.
        public double halfWidth() {
            return ci95.width() / 2 / limitPerS;
        }
    }

    /// @param watchS seconds of such traffic that are enough for an interval; empty if no duration
    ///   is enough, because the traffic does not vary
    /// @param atLeast lower bound of the limit; empty if the windows do not give one
    public record Unknown(Reason reason, Optional<Double> watchS, Optional<AtLeast> atLeast)
            implements Limit {
        public Unknown(Reason reason, Optional<Double> watchS) {
            this(reason, watchS, Optional.empty());
        }

        /// The lower bound in requests/s.
        public Optional<Double> atLeastPerS() {
            return atLeast.map(AtLeast::limitPerS);
        }
    }

    /// A lower bound of a limit that is not known.
    ///
    /// @param limitPerS requests/s that the resource allows at least, at about 95 % confidence
    /// @param perS mean throughput of all windows
    public record AtLeast(double limitPerS, double perS) {
        /// The bound as a multiple of the mean throughput.
        public double timesNow() {
            return limitPerS / perS;
        }
    }

    /// The lower bound that is reached first.
    public record Bound(Resource resource, AtLeast atLeast) {}

    /// The lowest of the lower bounds of CPU, pools and disks; empty if a first limit is known, or
    /// no bound.
    public Optional<Bound> bound() {
        return first.isPresent()
                ? Optional.empty()
                : Stream.of(
                                bound(Resource.CPU, cpu),
                                pools.stream().flatMap(p -> bound(p.resource(), p.limit())),
                                disks.stream().flatMap(d -> d.bound().stream()))
                        .flatMap(bounds -> bounds)
                        .min(Comparator.comparingDouble(b -> b.atLeast().limitPerS()));
    }

    private static Stream<Bound> bound(Resource resource, Limit limit) {
        return atLeast(limit).map(a -> new Bound(resource, a)).stream();
    }

    /// The lower bound of an unknown limit, or the lower end of the interval of a known one.
    private static Optional<AtLeast> atLeast(Limit limit) {
        return switch (limit) {
            case Known k ->
                    Optional.of(new AtLeast(k.ci95().lo(), k.perS()))
                            .filter(a -> a.limitPerS() > 0);
            case Unknown u -> u.atLeast();
        };
    }

    /// @param classes the busiest endpoint first
    /// @param busiest limit for the mix of the busiest minute, if the interval of the limit for the
    ///   mean mix does not contain it
    public record Mix(List<EndpointDemand> classes, Optional<BusiestMix> busiest) {
        public Mix {
            classes = List.copyOf(classes);
        }
    }

    /// Requests to one endpoint, or to all other endpoints.
    ///
    /// @param endpoint as the service names it; empty for all other endpoints together
    /// @param perS mean throughput
    /// @param share share of all requests, 0…1
    /// @param busiestShare share of the requests of the busiest minute, 0…1
    /// @param cpuMs CPU time of a request
    /// @param cpuCi95 95 % interval of `cpuMs`
    public record EndpointDemand(
            Optional<String> endpoint,
            double perS,
            double share,
            double busiestShare,
            double cpuMs,
            Interval cpuCi95) {}

    /// The CPU limit for the mix of the busiest minute.
    ///
    /// @param perS throughput in that minute
    /// @param ci95 95 % interval of `limitPerS`
    public record BusiestMix(double perS, double limitPerS, Interval ci95) {}

    /// @param below highest use of the first resource (95 % quantile), as a share of its available
    ///   units
    public record NoLimitSeen(List<Hidden> resources, double below) {
        public NoLimitSeen {
            resources = List.copyOf(resources);
        }
    }

    /// Resources that no counter of a window measures.
    public enum Hidden {
        LOCKS("locks"),
        DOWNSTREAM("downstream services"),
        DISKS("disks");

        private final String says;

        Hidden(String says) {
            this.says = says;
        }

        public String says() {
            return says;
        }

        /// As in JSON.
        public String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// What is saturated.
    ///
    /// @param kind `cpu`, `pool` or `disk` in JSON; a disk is never first
    /// @param name name of the pool in the service's metrics, or of the disk; `cpu` for the CPU
    public record Resource(Kind kind, String name) {
        public static final Resource CPU = new Resource(Kind.CPU, "cpu");

        public static Resource pool(String name) {
            return new Resource(Kind.POOL, name);
        }

        public static Resource disk(String device) {
            return new Resource(Kind.DISK, device);
        }
    }

    /// Kind of a resource.
    public enum Kind {
        CPU,
        POOL,
        DISK;

        /// As in JSON.
        public String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// A pool as the service reports it.
    ///
    /// @param name name of the pool in the service's metrics
    /// @param library library of the pool, as thread samples name it: HikariCP, Tomcat, …
    /// @param size latest maximum number of the pool's members
    /// @param highestUtilisation use in the busiest windows (95 % quantile), as a share of the size
    public record PoolLimit(
            String name, String library, double size, double highestUtilisation, Limit limit) {
        public Resource resource() {
            return Resource.pool(name);
        }
    }

    /// A disk, as one unit that is in use while the disk has work. A disk that serves several
    /// operations at once can do more work when it is always in use, so the limit is a lower bound
    /// of what the disk allows.
    ///
    /// @param highestUtilisation share of the time with work in the busiest windows (95 % quantile)
    public record DiskLimit(String device, double highestUtilisation, Limit limit) {
        public Resource resource() {
            return Resource.disk(device);
        }

        /// The throughput that the disk allows at least: that at which it always has work, by the
        /// lower end of the interval.
        Optional<Bound> bound() {
            return atLeast(limit).map(a -> new Bound(resource(), a));
        }
    }

    /// The CPU or the pool that is saturated first.
    ///
    /// @param known limit of the resource
    /// @param maybe resources that may be saturated as early, because their intervals overlap or
    ///   their limits are unknown. A disk is here if it may always have work by then.
    /// @param raise the size of the pool from which on another known resource limits. Empty for the
    ///   CPU, if no other limit is known, or if an unknown limit or that of a disk may be reached
    ///   earlier.
    public record First(
            Resource resource, Known known, List<Resource> maybe, Optional<Raise> raise) {
        public First {
            maybe = List.copyOf(maybe);
        }
    }

    /// The pool size at which the pool reaches the throughput at which the next resource is
    /// saturated (F2).
    ///
    /// @param size number of members
    /// @param limitPerS requests/s at which the next resource is saturated
    public record Raise(long size, double limitPerS, Resource next) {}

    /// The mean response time at a higher load, by the open model.
    ///
    /// @param share the higher load as a share of the first limit
    /// @param perS requests/s
    /// @param rtMs mean response time in ms
    public record TimeAt(double share, double perS, double rtMs) {}

    /// Maximum half width of a limit's interval, as a share of the limit. A limit with a wider
    /// interval is reported as unknown.
    public static final double WIDEST = 0.4;

    /// Why a limit is unknown.
    public enum Reason {
        /// No source counted requests.
        NO_THROUGHPUT("requests were not counted"),
        /// Too few windows in which requests were counted and the resource was measured.
        TOO_FEW_WINDOWS("it was watched for too short a time"),
        /// The use of the resource does not follow the number of requests, or the throughput does
        /// not vary enough for an interval of at most {@link Headroom#WIDEST}.
        TOO_LITTLE_VARIATION("the traffic varied too little for " + interval()),
        /// The traffic varies, but the use of a request scatters too much for such an interval, as
        /// beside other processes that take the same cores.
        TOO_MUCH_SCATTER("the use by a request scattered too much for " + interval());

        private final String says;

        Reason(String says) {
            this.says = says;
        }

        private static String interval() {
            return String.format(Locale.ROOT, "an interval narrower than ±%.0f %%", WIDEST * 100);
        }

        public String says() {
            return says;
        }

        /// As in JSON.
        public String key() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
