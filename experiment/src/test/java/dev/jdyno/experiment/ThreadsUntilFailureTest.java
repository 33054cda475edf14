package dev.jdyno.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.experiment.ThreadsProcess.Made;
import dev.jdyno.experiment.ThreadsUntilFailure.Run;
import dev.jdyno.measure.thread.ThreadLimit;
import dev.jdyno.measure.thread.ThreadLimit.Kind;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ThreadsUntilFailureTest {
    private static Run run(String xss, int published, long kib, int threads, Kind kind) {
        return new Run(
                xss,
                published,
                new Made(
                        kib << 10,
                        threads,
                        12,
                        512L << 20,
                        Optional.of(new ThreadLimit(kind, 1, 1, 0))));
    }

    private static List<Run> inSpace(int at256k, Kind kind) {
        return List.of(
                run("128k", 14_349, 136, 11_565, kind),
                run("256k", 7409, 256, at256k, kind),
                run("1m", 1896, 1024, 1536, kind));
    }

    private static List<Run> inGroup(int threads) {
        return List.of(run("256k", 7409, 256, threads, Kind.CGROUP));
    }

    @Test
    void passesIfCountsAreInverseToStackSize() {
        assertThat(ThreadsUntilFailure.judged(inSpace(6144, Kind.ADDRESS_SPACE), inGroup(988)))
                .matches(Comparison::holds);
        assertThat(ThreadsUntilFailure.judged(inSpace(4000, Kind.ADDRESS_SPACE), inGroup(988)))
                .matches(c -> !c.holds());
    }

    @Test
    void threadLimitOfAControlGroupIsIndependentOfStackSize() {
        assertThat(ThreadsUntilFailure.judged(inSpace(6144, Kind.ADDRESS_SPACE), inGroup(500)))
                .matches(c -> !c.holds());
    }

    @Test
    void experimentFailsIfTheAddressSpaceIsNotNamedAsTheLimit() {
        assertThat(ThreadsUntilFailure.judged(inSpace(6144, Kind.MACHINE), inGroup(988)))
                .matches(c -> !c.holds());
    }

    @Test
    void reportsSkippedPartsWithoutControlGroup() {
        assertThat(ThreadsUntilFailure.judged(inSpace(6144, Kind.ADDRESS_SPACE), List.of()).notes())
                .anyMatch(n -> n.startsWith("SKIPPED"));
    }
}
