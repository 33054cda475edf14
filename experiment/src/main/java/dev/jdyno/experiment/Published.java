package dev.jdyno.experiment;

import java.util.List;
import java.util.Optional;

/// The catalogue of published experiments (docs/domain.md).
public final class Published {
    private static final List<Experiment> ALL =
            List.of(
                    new CpuAndIo(),
                    new ResponseTimeAboveKnee(),
                    new ThreadCount(),
                    new ThreadsUntilFailure(),
                    new HeldMemory(),
                    TooManyThreads.e6(),
                    new SessionPerRequest(),
                    new SearchSteps(),
                    new HeapSizes(),
                    new ReadService(),
                    new FewerThreads(),
                    new LockLimit(),
                    new ParallelCalls(),
                    new EncodedBody(),
                    new Templates(),
                    new PageSize(),
                    new Serialised(),
                    new YoungForLargeRequests(),
                    new YoungSize(),
                    new ReleasedMemory(),
                    new SurvivorSize(),
                    new ClientBound(),
                    new ManyConnections(),
                    new UpstreamKeepAlive(),
                    new EffectLatency(),
                    new SlowReaders());

    private Published() {}

    public static List<Experiment> all() {
        return ALL;
    }

    /// @param id id of the experiment, in upper or lower case
    public static Optional<Experiment> find(String id) {
        return ALL.stream().filter(e -> e.id().equalsIgnoreCase(id)).findFirst();
    }
}
