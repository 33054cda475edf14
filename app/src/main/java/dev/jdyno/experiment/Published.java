package dev.jdyno.experiment;

import java.util.List;
import java.util.Optional;

/// The catalogue of published experiments (docs/domain.md); those that are built can be run.
public final class Published {
    /// @param experiment empty when it is not built yet
    public record Entry(String id, String title, Optional<Experiment> experiment) {}

    private static final List<Entry> ALL =
            List.of(
                    built(new CpuAndIo()),
                    built(new ResponseTimeAboveKnee()),
                    built(new ThreadCount()),
                    notYet("E4", "threads until memory ends, by -Xss"),
                    built(new HeldMemory()),
                    built(TooManyThreads.e6()),
                    built(new SessionPerRequest()),
                    built(new SearchSteps()),
                    built(new HeapSizes()),
                    built(new ReadService()),
                    built(TooManyThreads.e11()),
                    built(new LockLimit()),
                    built(new ParallelCalls()),
                    built(new EncodedBody()),
                    built(new Templates()),
                    built(new PageSize()),
                    built(new Serialised()),
                    built(new YoungForLargeRequests()),
                    built(new YoungSize()),
                    built(new ReleasedMemory()),
                    built(new SurvivorSize()),
                    built(new ClientBound()),
                    built(new ManyConnections()),
                    built(new UpstreamKeepAlive()),
                    built(new EffectLatency()),
                    built(new SlowReaders()));

    private Published() {}

    private static Entry built(Experiment experiment) {
        return new Entry(experiment.id(), experiment.title(), Optional.of(experiment));
    }

    private static Entry notYet(String id, String title) {
        return new Entry(id, title, Optional.empty());
    }

    public static List<Entry> all() {
        return ALL;
    }

    /// @param id in any case
    public static Optional<Entry> find(String id) {
        return ALL.stream().filter(e -> e.id().equalsIgnoreCase(id)).findFirst();
    }
}
