package dev.jdyno.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jdyno.compare.Metric;
import dev.jdyno.measure.TestSet;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Plan;
import dev.jdyno.repository.Revision;
import dev.jdyno.simulated.Model;
import dev.jdyno.simulated.SimulatedService;
import dev.jdyno.simulated.VirtualClock;
import dev.jdyno.trial.Session;
import dev.jdyno.trial.Silent;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Searches in generated histories of a simulated service, in virtual time. Its starts differ as
/// recorded ones do ({@link RecordedStarts}).
class BisectingTest {
    /// Number of histories; `-Dguard.histories=300` gives the figures of docs/guard.md.
    private static final int HISTORIES =
            Integer.getInteger("guard.histories", TestSet.times(10, 300));

    private static final int COMMITS = 128;

    /// Seconds until the service is warm, by `-Dguard.warmup=40`.
    private static final double WARM_UP = Integer.getInteger("guard.warmup", 20);

    private static final double[] DEVIATIONS = RecordedStarts.deviations();

    @TempDir Path folder;
    private final VirtualClock clock = new VirtualClock();
    private int folders;

    private static Plan plan() {
        return Plan.of(
                "shop",
                URI.create("http://127.0.0.1:8080/"),
                new Plan.TargetPlan.Launch("java -jar shop.jar --port {port}"));
    }

    /// A service whose CPU time grows at one commit.
    private static Model model(int commits, int culprit, double factor) {
        Map<String, Double> factors = new HashMap<>();
        for (int version = culprit; version <= commits; version++) {
            factors.put(MadeUpVersions.folder(version), factor);
        }
        return new Model(2, 10, 80, factors, Set.of(), Set.of(), Map.of(), 0.013, 0.005);
    }

    private SimulatedService service(Model model, long seed) {
        return new SimulatedService(model, clock, seed).varyingBy(DEVIATIONS).warmingUp(WARM_UP);
    }

    private Path fresh() throws Exception {
        return Files.createDirectory(folder.resolve("search-" + ++folders));
    }

    private Bisecting bisecting(
            SimulatedService service,
            MadeUpVersions versions,
            Duration budget,
            Path in,
            BooleanSupplier stop) {
        BisectSettings d = BisectSettings.DEFAULT;
        return new Bisecting(
                plan(),
                new BisectSettings(d.confidence(), budget, d.block(), d.warmup(), d.minEffect()),
                versions,
                service,
                new Session(in, new Silent(), clock, stop),
                new SplittableRandom(service.calls()));
    }

    private Bisected bisected(Model model, MadeUpVersions versions, long seed) throws Exception {
        SimulatedService service = service(model, seed);
        Bisected result =
                bisecting(service, versions, BisectSettings.DEFAULT.budget(), fresh(), () -> false)
                        .run();
        assertThat(service.open()).isZero();
        return result;
    }

    @Test
    void commitThatRaisesCpuTimeByFivePercentIsFound() throws Exception {
        int right = 0;
        int wrong = 0;
        List<Double> seconds = new ArrayList<>();
        for (int seed = 0; seed < HISTORIES; seed++) {
            int culprit = 1 + new SplittableRandom(seed).nextInt(COMMITS);
            var versions = new MadeUpVersions(COMMITS, Set.of());
            Bisected result = bisected(model(COMMITS, culprit, 1.05), versions, seed);
            Revision truth = versions.revisions().get(culprit);
            if (result.verdict() == Bisected.Verdict.FOUND) {
                boolean named = result.found().orElseThrow().commits().equals(List.of(truth));
                right += named ? 1 : 0;
                wrong += named ? 0 : 1;
            }
            assertThat(result.figure()).contains(Metric.CPU);
            seconds.add(result.seconds());
        }
        seconds.sort(null);
        System.out.printf(
                "%d of %d right, %d wrong; min: median %.1f, nine in ten %.1f, most %.1f%n",
                right,
                HISTORIES,
                wrong,
                seconds.get(HISTORIES / 2) / 60,
                seconds.get(HISTORIES * 9 / 10 - 1) / 60,
                seconds.getLast() / 60);
        assertThat(right).isGreaterThanOrEqualTo(HISTORIES * 9 / 10);
        assertThat(seconds.get(HISTORIES * 9 / 10 - 1))
                .isLessThanOrEqualTo(Durations.seconds(Duration.ofMinutes(45)));
    }

    @Test
    void groupsBrokenCommitsWithNextBuildableCommit() throws Exception {
        var versions = new MadeUpVersions(16, Set.of(7, 8, 3));
        Bisected result = bisected(model(16, 8, 1.1), versions, 1);
        assertThat(result.verdict()).isEqualTo(Bisected.Verdict.FOUND);
        assertThat(result.found().orElseThrow().commits())
                .isEqualTo(versions.revisions().subList(7, 10));
        assertThat(result.skipped())
                .extracting(Bisected.Skipped::commit)
                .contains(versions.revisions().get(7), versions.revisions().get(8))
                .doesNotContain(versions.revisions().get(9));
    }

    @Test
    void aVersionThatDoesNotRunIsLeftOut() throws Exception {
        Model model = model(8, 5, 1.1).refusing(MadeUpVersions.folder(4));
        var versions = new MadeUpVersions(8, Set.of());
        Bisected result = bisected(model, versions, 1);
        assertThat(result.found().orElseThrow().commits())
                .isEqualTo(versions.revisions().subList(4, 6));
        assertThat(result.skipped()).extracting(Bisected.Skipped::built).containsExactly(true);
    }

    @Test
    void namesNoCommitBetweenEqualEnds() throws Exception {
        int named = 0;
        int histories = TestSet.times(20, 100);
        for (int seed = 0; seed < histories; seed++) {
            Bisected result = bisected(model(16, 17, 1), new MadeUpVersions(16, Set.of()), seed);
            named += result.verdict() == Bisected.Verdict.FOUND ? 1 : 0;
        }
        assertThat(named).isLessThanOrEqualTo(histories / 20);
    }

    @Test
    void anEndThatDoesNotBuildEndsTheSearch() {
        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() -> bisected(model(4, 2, 1.1), new MadeUpVersions(4, Set.of(4)), 1));
        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() -> bisected(model(4, 2, 1.1), new MadeUpVersions(4, Set.of(0)), 1));
    }

    @Test
    void reportsKnownVersionsWhenBudgetEnds() throws Exception {
        var versions = new MadeUpVersions(COMMITS, Set.of());
        SimulatedService service = service(model(COMMITS, 40, 1.1), 1);
        Bisected result =
                bisecting(service, versions, Duration.ofMinutes(8), fresh(), () -> false).run();
        assertThat(result.verdict()).isEqualTo(Bisected.Verdict.UNCLEAR);
        assertThat(result.partial()).isFalse();
        assertThat(result.found()).isPresent();
        assertThat(result.suspects()).isNotEmpty();
        assertThat(result.measured()).isNotEmpty();
    }

    @Test
    void stopAtAnyMomentClosesBothVersions() throws Exception {
        Model model = model(16, 8, 1.1);
        SimulatedService whole = service(model, 1);
        bisecting(
                        whole,
                        new MadeUpVersions(16, Set.of()),
                        Duration.ofHours(1),
                        fresh(),
                        () -> false)
                .run();
        for (int n = 1; n < whole.calls(); n++) {
            int call = n;
            SimulatedService service = service(model, 1);
            Bisected result =
                    bisecting(
                                    service,
                                    new MadeUpVersions(16, Set.of()),
                                    Duration.ofHours(1),
                                    fresh(),
                                    () -> service.calls() >= call)
                            .run();
            assertThat(result.partial()).as("stopped at %d", call).isTrue();
            assertThat(service.open()).isZero();
        }
    }

    @Test
    void resumedSearchMeasuresNothingTwice() throws Exception {
        Model model = model(16, 8, 1.1);
        var versions = new MadeUpVersions(16, Set.of());
        Path in = fresh();
        Set<Integer> lines = new HashSet<>();
        for (int kills = 0; kills < 50; kills++) {
            SimulatedService service = service(model, kills).killAt(30);
            try {
                Bisected result =
                        bisecting(service, versions, Duration.ofHours(1), in, () -> false).run();
                assertThat(result.found().orElseThrow().commits())
                        .containsExactly(versions.revisions().get(8));
                assertThat(result.starts()).isGreaterThanOrEqualTo(lines.size());
                return;
            } catch (SimulatedService.Killed killed) {
                lines.add(Files.readAllLines(in.resolve(BisectJournal.NAME)).size());
            }
        }
        throw new AssertionError("nothing was kept: " + lines);
    }

    @Test
    void refusesOtherSubjectOrBrokenLine() throws Exception {
        Path in = fresh();
        SimulatedService service = service(model(8, 4, 1.2), 1);
        bisecting(service, new MadeUpVersions(8, Set.of()), Duration.ofHours(1), in, () -> false)
                .run();
        SimulatedService other = service(model(9, 4, 1.2), 1);
        Bisecting another =
                bisecting(
                        other,
                        new MadeUpVersions(9, Set.of()),
                        Duration.ofHours(1),
                        in,
                        () -> false);
        assertThatExceptionOfType(UserError.class).isThrownBy(another::run);
        Path journal = in.resolve(BisectJournal.NAME);
        for (String line :
                List.of(
                        "null",
                        "{}",
                        "{\"version\":99}",
                        Files.readAllLines(journal)
                                .get(1)
                                .replace("\"version\":8", "\"version\":0"),
                        Files.readAllLines(journal).get(1).replace("\"CPU\":[", "\"CPU\":[-1,"))) {
            List<String> lines = new ArrayList<>(Files.readAllLines(journal));
            lines.add(1, line);
            Path copy = fresh();
            Files.write(copy.resolve(BisectJournal.NAME), lines);
            Bisecting broken =
                    bisecting(
                            service,
                            new MadeUpVersions(8, Set.of()),
                            Duration.ofHours(1),
                            copy,
                            () -> false);
            assertThatExceptionOfType(UserError.class).as(line).isThrownBy(broken::run);
        }
    }
}
