package dev.jdyno.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.jdyno.measure.load.DriverFacts;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.simulated.Model;
import dev.jdyno.simulated.SimulatedService;
import dev.jdyno.simulated.VirtualClock;
import dev.jdyno.tune.BudgetPlan.Item;
import dev.jdyno.tune.BudgetPlan.What;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The printed plan of a budget against the time that the tuning takes, in virtual time.
class BudgetPlanTest {
    private static final Model QUIET = Model.e1().noise(0.002, 0.001);
    private static final Model HELPED = QUIET.with("-Dcache=on", 0.8).with("-Dpool=wide", 0.9);

    /// Settings that do nothing, so a tuning looks at them and compares none.
    private static final List<String> USELESS =
            List.of("a:0,1", "b:0,1", "c:0,1", "d:0,1", "e:0,1", "f:0,1");

    private static final List<String> USEFUL = List.of("cache:off,on", "pool:narrow,wide");

    @TempDir private Path folder;
    private final VirtualClock clock = new VirtualClock();
    private final AtomicReference<BudgetPlan> printed = new AtomicReference<>();

    private SimulatedService service(Model model, int mebi) {
        return new SimulatedService(model, clock, 1).withMemory(Bytes.mebi(mebi));
    }

    private Tuned tuned(SimulatedService service, List<String> knobs, int minutes, String into)
            throws IOException, InterruptedException {
        return new SimulatedTuning(clock)
                .tuned(
                        service,
                        knobs,
                        Duration.ofMinutes(minutes),
                        Files.createDirectory(folder.resolve(into)),
                        () -> false,
                        new Deaf() {
                            @Override
                            public void plans(BudgetPlan plan) {
                                printed.set(plan);
                            }
                        });
    }

    private static Item item(BudgetPlan plan, What what) {
        return plan.items().stream()
                .filter(i -> i.what() == what)
                .findFirst()
                .orElse(new Item(what, 0, 0));
    }

    /// An instance takes 1.4 GiB, and all of them 70 % of the memory.
    @ParameterizedTest
    @CsvSource({"65536, 7", "8192, 8", "4096, 12"})
    void looksTakeAsLongAsPlanned(int mebi, int starts) throws Exception {
        Tuned tuned = tuned(service(QUIET, mebi), USELESS, 60, "looks");

        Item looks = item(printed.get(), What.LOOK);
        double started = 3 + 6 + 3 * 4;
        assertThat(looks.times()).isEqualTo(USELESS.size());
        assertThat(looks.all()).isCloseTo(starts * started, withinPercentage(1));
        assertThat(tuned.seconds() - item(printed.get(), What.SPENT).all())
                .isCloseTo(looks.all(), withinPercentage(5));
    }

    /// A run of this tool takes 8 s, so a block does.
    @Test
    void planHasTheRunsOfALoadTool() throws Exception {
        var tool = new DriverFacts("k6 {n} {seconds}", "k6", List.of(), Optional.of(8.0));
        var service = service(QUIET, 65536).loadedBy(tool, UnaryOperator.identity());

        Tuned tuned = tuned(service, USELESS, 60, "driven");

        Item looks = item(printed.get(), What.LOOK);
        double started = 3 + 6 + 3 * (8 + 1);
        assertThat(looks.all()).isCloseTo(7 * started, withinPercentage(1));
        assertThat(tuned.seconds() - item(printed.get(), What.SPENT).all())
                .isCloseTo(looks.all(), withinPercentage(5));
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 30, 45})
    void tuningWithALoadToolStaysWithinBudget(int minutes) throws Exception {
        var tool = new DriverFacts("k6 {n} {seconds}", "k6", List.of(), Optional.of(20.0));
        var service = service(HELPED, 65536).loadedBy(tool, UnaryOperator.identity());

        Tuned tuned = tuned(service, USEFUL, minutes, "driven");

        assertThat(tuned.seconds()).isLessThanOrEqualTo(60.0 * minutes);
    }

    @ParameterizedTest
    @CsvSource({"65536, TOGETHER", "4096, COMPARISON"})
    void comparisonTakesAsLongAsPlanned(int mebi, What what) throws Exception {
        Tuned tuned = tuned(service(HELPED, mebi), USEFUL, 60, "proof");

        assertThat(tuned.changes()).isNotEmpty();
        assertThat(item(printed.get(), what).times()).isOne();
        double planned =
                item(printed.get(), What.SPENT).all()
                        + item(printed.get(), What.LOOK).all()
                        + item(printed.get(), what).all();
        assertThat(tuned.seconds()).isGreaterThanOrEqualTo(0.95 * planned);
    }

    /// One candidate alone cannot be compared together with others.
    @Test
    void oneCandidateIsComparedAlone() throws Exception {
        tuned(service(HELPED, 65536), USEFUL.subList(0, 1), 60, "one");

        assertThat(item(printed.get(), What.TOGETHER).times()).isZero();
        assertThat(item(printed.get(), What.COMPARISON).times()).isOne();
    }

    @ParameterizedTest
    @ValueSource(ints = {65536, 8192, 4096})
    void dryRunPrintsThePlanOfTheTuning(int mebi) throws Exception {
        Preview preview =
                new SimulatedTuning(clock)
                        .preview(
                                service(HELPED, mebi),
                                USELESS,
                                Duration.ofMinutes(60),
                                Files.createDirectory(folder.resolve("dry")));

        tuned(service(HELPED, mebi), USELESS, 60, "wet");

        assertThat(preview.plan()).isEqualTo(printed.get());
    }

    /// A budget that turns out too short for any comparison names one that has time for the first.
    @ParameterizedTest
    @CsvSource({"65536, 30", "65536, 40", "4096, 40"})
    void tooShortABudgetNamesOneForTheNextCandidate(int mebi, double runSeconds) throws Exception {
        var tool = new DriverFacts("k6 {n} {seconds}", "k6", List.of(), Optional.of(runSeconds));
        var service = service(HELPED, mebi).loadedBy(tool, UnaryOperator.identity());

        Tuned cut = tuned(service, USEFUL, 8, "cut");
        assertThat(compared(cut)).isZero();
        int next = (int) cut.searchEnd().orElseThrow().next().toMinutes();
        Tuned tuned = tuned(service, USEFUL, next, "next");

        assertThat(compared(tuned)).as("%d minutes", next).isPositive();
        assertThat(tuned.seconds()).isLessThanOrEqualTo(60.0 * next);
    }

    private static long compared(Tuned tuned) {
        return tuned.rounds().stream()
                .flatMap(r -> r.tried().stream())
                .filter(t -> t.measured().isPresent())
                .count();
    }

    /// The budget that is named at the end of a search has time for what was left.
    @ParameterizedTest
    @ValueSource(ints = {65536, 8192, 4096})
    @Tag("full") // many tunings
    void namedBudgetIsEnough(int mebi) throws Exception {
        List<String> knobs =
                List.of("a:0,1", "b:0,1", "c:0,1", "cache:off,on", "d:0,1", "pool:narrow,wide");
        Optional<SearchEnd> end = Optional.empty();
        for (int minutes = 8; end.isEmpty() && minutes < 30; minutes += 2) {
            Tuned cut = tuned(service(HELPED, mebi), knobs, minutes, "cut" + minutes);
            end = cut.searchEnd();
        }
        int enough = (int) end.orElseThrow().enough().toMinutes();

        Tuned whole = tuned(service(HELPED, mebi), knobs, enough, "whole");

        assertThat(whole.searchEnd().filter(e -> !e.unseen().isEmpty() || e.notCompared() > 0))
                .as("%d minutes", enough)
                .isEmpty();
        assertThat(whole.changes()).isNotEmpty();
    }
}
