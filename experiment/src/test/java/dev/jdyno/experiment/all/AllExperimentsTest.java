package dev.jdyno.experiment.all;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.experiment.Bench;
import dev.jdyno.experiment.Comparison;
import dev.jdyno.experiment.Comparison.Judged;
import dev.jdyno.experiment.Comparison.Row;
import dev.jdyno.experiment.Experiment;
import dev.jdyno.experiment.Published;
import dev.jdyno.experiment.all.AllExperiments.Extent;
import dev.jdyno.experiment.all.Done.Outcome;
import dev.jdyno.experiment.form.AllReport;
import dev.jdyno.experiment.lab.Lab;
import dev.jdyno.measure.Machine;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.trial.Silent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AllExperimentsTest {
    @TempDir Path dir;

    private final List<String> ran = new ArrayList<>();

    private Experiment experiment(String id, Supplier<Comparison> result) {
        return new Experiment() {
            @Override
            public String id() {
                return id;
            }

            @Override
            public String title() {
                return "title of " + id;
            }

            @Override
            public Comparison run(Bench bench) {
                ran.add(id);
                return result.get();
            }
        };
    }

    private static Comparison comparison(String id, boolean holds) {
        return new Comparison(
                id,
                "title",
                List.of(
                        new Row(
                                "QPS | ratio",
                                Optional.of(1.94),
                                Optional.empty(),
                                2,
                                "requests",
                                Optional.of(
                                        new Judged(
                                                holds,
                                                0.1,
                                                Optional.empty(),
                                                holds
                                                        ? Optional.empty()
                                                        : Optional.of("it is so"))))),
                List.of("a note"));
    }

    private List<Experiment> three() {
        return List.of(
                experiment("E1", () -> comparison("E1", true)),
                experiment("E2", () -> comparison("E2", false)),
                experiment(
                        "E3",
                        () -> {
                            throw UserError.usage("no redis", "it is not installed", "install it");
                        }));
    }

    private static final Set<String> EACH = Set.of("E1", "E2", "E3");

    private List<Done> run(List<Experiment> experiments, BooleanSupplier stop)
            throws InterruptedException {
        return run(experiments, stop, new Extent(EACH, Optional.empty(), true), NanoClock.SYSTEM);
    }

    private List<Done> run(
            List<Experiment> experiments, BooleanSupplier stop, Extent extent, NanoClock clock)
            throws InterruptedException {
        Path folder = dir.resolve("out");
        folder.toFile().mkdirs();
        return new AllExperiments(
                        experiments,
                        () -> Lab.open(Optional.of(dir.resolve("lab.jar")), dir),
                        folder,
                        new Silent(),
                        clock,
                        stop,
                        extent)
                .run();
    }

    @Test
    void everyExperimentHasOutcomeWithReason() throws InterruptedException {
        List<Done> done = run(three(), () -> false);

        assertThat(done)
                .extracting(Done::outcome)
                .containsExactly(Outcome.HELD, Outcome.NOT_HELD, Outcome.NOT_RUN);
        assertThat(done.getLast().failure()).contains("no redis: it is not installed");
    }

    @Test
    void resumedRunContinuesWithRemainingExperiments() throws InterruptedException {
        List<Done> first = run(three(), () -> ran.size() > 1);
        assertThat(first).extracting(Done::id).containsExactly("E1");
        ran.clear();

        List<Done> second = run(three(), () -> false);

        assertThat(ran).containsExactly("E2", "E3");
        assertThat(second).hasSize(3);
        assertThat(second.getFirst()).isEqualTo(first.getFirst());
    }

    @Test
    void retriesExperimentThatCouldNotRun() throws InterruptedException {
        List<Done> _ = run(three(), () -> false);
        ran.clear();

        List<Done> _ = run(three(), () -> false);

        assertThat(ran).containsExactly("E3");
    }

    @Test
    void runsOnlySelectedExperimentsAndKeepsOthersOfFolder() throws InterruptedException {
        List<Done> _ = run(three(), () -> false, only("E2"), NanoClock.SYSTEM);
        List<Done> done = run(three(), () -> false, only("E1"), NanoClock.SYSTEM);

        assertThat(ran).containsExactly("E2", "E1");
        assertThat(done).extracting(Done::id).containsExactly("E1", "E2");
    }

    @Test
    void interruptedRunReturnsResultsOfFolder() throws InterruptedException {
        List<Done> _ = run(three(), () -> false, only("E2"), NanoClock.SYSTEM);

        List<Done> done = run(three(), () -> ran.size() > 1, only("E1"), NanoClock.SYSTEM);

        assertThat(done).extracting(Done::id).containsExactly("E2");
    }

    @Test
    void startsNoExperimentAfterBudget() throws InterruptedException {
        var seconds = new AtomicLong();
        NanoClock clock = () -> seconds.get() * 1_000_000_000L;
        List<Experiment> slow =
                List.of(
                        experiment("E1", () -> takes(seconds, "E1")),
                        experiment("E2", () -> takes(seconds, "E2")),
                        experiment("E3", () -> takes(seconds, "E3")));

        List<Done> done =
                run(
                        slow,
                        () -> false,
                        new Extent(EACH, Optional.of(Duration.ofSeconds(15)), false),
                        clock);

        assertThat(done).extracting(Done::id).containsExactly("E1", "E2");
    }

    private static Comparison takes(AtomicLong seconds, String id) {
        seconds.addAndGet(10);
        return comparison(id, true);
    }

    private static Extent only(String id) {
        return new Extent(Set.of(id), Optional.empty(), true);
    }

    @Test
    void countingExperimentIsNotMarkedShortened() throws InterruptedException {
        List<Done> done =
                run(
                        List.of(experiment("E1", () -> comparison("E1", true)), counting("E2")),
                        () -> false);

        assertThat(done).extracting(Done::quick).containsExactly(true, false);
    }

    private static Experiment counting(String id) {
        return new Experiment() {
            @Override
            public String id() {
                return id;
            }

            @Override
            public String title() {
                return "counts";
            }

            @Override
            public boolean isTimed() {
                return false;
            }

            @Override
            public Comparison run(Bench bench) {
                return comparison(id, !bench.quick());
            }
        };
    }

    @Test
    void idsAndRangesAreChosenInAnyCase() {
        var problems = new Problems();

        Set<String> chosen = Chosen.of("e1,E5-E7, E26", Published.all(), "--only", problems);

        assertThat(problems.isEmpty()).isTrue();
        assertThat(chosen).containsExactlyInAnyOrder("E1", "E5", "E6", "E7", "E26");
    }

    @Test
    void everyMistakeOfAListIsNamed() {
        var problems = new Problems();

        Set<String> _ = Chosen.of("E1,E8-E4,,E27-E30,x,E0", Published.all(), "--only", problems);

        assertThat(problems.list())
                .extracting(Problems.Problem::where)
                .containsExactly(
                        "--only E1,E8-E4,,E27-E30,x,E0",
                        "--only E1,E8-E4,,E27-E30,x,E0",
                        "--only E27",
                        "--only E30",
                        "--only E1,E8-E4,,E27-E30,x,E0",
                        "--only E0");
    }

    @Test
    void pageShowsAllExperimentsAndMachine() throws InterruptedException {
        String page =
                AllReport.markdown(
                        run(three(), () -> false),
                        List.of(
                                three().get(0),
                                three().get(1),
                                three().get(2),
                                experiment("E4", () -> comparison("E4", true))),
                        new AllReport.Conditions(
                                new Machine(2, 1, "Linux 6", 0),
                                "AMD EPYC",
                                "25",
                                "1.0",
                                "jdyno lab all --quick"));

        assertThat(page)
                .contains("2 cores (AMD EPYC), Linux 6, JDK 25, jdyno 1.0, `jdyno lab all --quick`")
                .contains("1 held here, 1 did not hold", "1 could not run here, 1 were not started")
                .contains("| E4 | title of E4 | not started | – |")
                .contains("| E3 | title of E3 | not run: no redis: it is not installed |")
                .contains(
                        "| QPS \\| ratio | 1.94 | – | 2 requests | DOES NOT HOLD (within 10 %); it is so |");
    }
}
