package dev.jdyno.measure;

import dev.jdyno.measure.thread.Library;
import dev.jdyno.measure.thread.LoggingCost;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.thread.SourceLine;
import java.util.List;

/// Insights with entries of only one kind.
public final class InsightVariant {
    private InsightVariant() {}

    public static Insight logging(LoggingCost... costs) {
        return new Parts().logging(List.of(costs)).insight();
    }

    public static Insight allocations(Insight.Allocation... allocations) {
        return new Parts().allocations(List.of(allocations)).insight();
    }

    public static Insight exceptions(Insight.Thrown... exceptions) {
        return new Parts().exceptions(List.of(exceptions)).insight();
    }

    public static Insight pinned(Insight.Pinned... pinned) {
        return new Parts().pinned(List.of(pinned)).insight();
    }

    public static Insight profile(Profile profile, Library... libraries) {
        return new Parts().profile(profile, List.of(libraries)).insight();
    }

    public static Insight allocations(Profile profile, Insight.Allocation... allocations) {
        return new Parts().profile(profile, List.of()).allocations(List.of(allocations)).insight();
    }

    public static Insight logging(Profile profile, LoggingCost... costs) {
        return new Parts().profile(profile, List.of()).logging(List.of(costs)).insight();
    }

    public static Insight waits(List<Insight.Wait> waits) {
        return new Parts().waits(waits).insight();
    }

    public static Insight sources(SourceLine... sources) {
        return new Parts().sources(List.of(sources)).insight();
    }

    public static Insight sites(List<Insight.CallRate> calls, List<Insight.PoolOrigin> origins) {
        return new Parts().sites(calls, origins).insight();
    }

    private static final class Parts {
        private List<Profile> profiles = List.of();
        private List<LoggingCost> logging = List.of();
        private List<Insight.Wait> waits = List.of();
        private List<Insight.Allocation> allocations = List.of();
        private List<Insight.Thrown> exceptions = List.of();
        private List<Insight.Pinned> pinned = List.of();
        private List<SourceLine> sources = List.of();
        private List<Library> libraries = List.of();
        private List<Insight.CallRate> calls = List.of();
        private List<Insight.PoolOrigin> origins = List.of();

        Parts logging(List<LoggingCost> found) {
            logging = found;
            return this;
        }

        Parts waits(List<Insight.Wait> found) {
            waits = found;
            return this;
        }

        Parts allocations(List<Insight.Allocation> found) {
            allocations = found;
            return this;
        }

        Parts exceptions(List<Insight.Thrown> found) {
            exceptions = found;
            return this;
        }

        Parts pinned(List<Insight.Pinned> found) {
            pinned = found;
            return this;
        }

        Parts profile(Profile found, List<Library> of) {
            profiles = List.of(found);
            libraries = of;
            return this;
        }

        Parts sources(List<SourceLine> found) {
            sources = found;
            return this;
        }

        Parts sites(List<Insight.CallRate> rates, List<Insight.PoolOrigin> pools) {
            calls = rates;
            origins = pools;
            return this;
        }

        Insight insight() {
            return new Insight(
                    profiles,
                    List.of(),
                    List.of(),
                    logging,
                    waits,
                    List.of(),
                    allocations,
                    exceptions,
                    pinned,
                    List.of(),
                    sources,
                    libraries,
                    calls,
                    origins);
        }
    }
}
