package dev.jdyno.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Note;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.simulated.Model;
import dev.jdyno.simulated.SimulatedService;
import dev.jdyno.simulated.VirtualClock;
import dev.jdyno.tune.Tuned.Fate;
import dev.jdyno.tune.Tuned.Tried;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Whole tunings of services that answer by formulas, in virtual time.
class SimulatedTuningTest {
    /// Two settings that remove a fifth and a tenth of the CPU time.
    private static final Model HELPED = Model.e1().with("-Dcache=on", 0.8).with("-Dpool=wide", 0.9);

    private static final Set<Change> HELP =
            Set.of(
                    new Change.SystemProperty("cache", "on"),
                    new Change.SystemProperty("pool", "wide"));

    /// A request waits 80 ms for one of 5 connections, and needs 3 ms of CPU.
    private static final Model POOLED =
            new Model(
                    2,
                    3,
                    80,
                    Map.of(),
                    Set.of(),
                    Set.of(),
                    Map.of(),
                    0.013,
                    0.01,
                    Optional.of(new Model.Pool("-Dpool=", 5)));

    /// Memory for two instances, so candidates are started one at a time.
    private static final Bytes TWO_INSTANCES = Bytes.mebi(4096);

    private static final List<String> KNOBS = List.of("cache:off,on", "pool:narrow,wide");

    /// Number of tunings for each row of the table in docs/tune.md.
    private static final int SEEDS = 30;

    /// Maximum number of tunings that may accept a setting without any effect.
    private static final int MAX_WITHOUT_EFFECT = 3;

    @TempDir Path folder;
    private final VirtualClock clock = new VirtualClock();

    private Tuned tuned(
            SimulatedService service,
            List<String> knobs,
            Duration budget,
            Path into,
            BooleanSupplier stop)
            throws InterruptedException {
        return new SimulatedTuning(clock).tuned(service, knobs, budget, into, stop);
    }

    private SimulatedService service(Model model, long seed) {
        return new SimulatedService(model, clock, seed);
    }

    private Path folder(String name) throws java.io.IOException {
        return Files.createDirectory(folder.resolve(name));
    }

    @Test
    void keepsOnlySettingsThatHelp() throws Exception {
        int seeds = 15;
        int whole = 0;
        int herrings = 0;
        for (int seed = 0; seed < seeds; seed++) {
            Tuned tuned =
                    tuned(
                            service(HELPED, seed),
                            List.of("a:0,1", "cache:off,on", "b:0,1", "pool:narrow,wide", "c:0,1"),
                            Duration.ofHours(2),
                            folder("s" + seed),
                            () -> false);
            Set<Change> taken = Set.copyOf(tuned.changes());
            whole += taken.containsAll(HELP) ? 1 : 0;
            herrings += taken.stream().anyMatch(c -> !HELP.contains(c)) ? 1 : 0;
        }
        assertThat(whole).isGreaterThanOrEqualTo((int) (0.9 * seeds));
        assertThat(herrings).isLessThanOrEqualTo((int) (0.05 * seeds));
    }

    /// With memory for two instances, each candidate is started and compared alone.
    @Test
    void littleMemoryOnlyTakesLonger() throws Exception {
        double[] seconds = new double[2];
        for (int seed = 0; seed < 5; seed++) {
            Tuned whole =
                    tuned(
                            service(HELPED, seed),
                            KNOBS,
                            Duration.ofHours(2),
                            folder("whole" + seed),
                            () -> false);
            Tuned little =
                    tuned(
                            service(HELPED, seed).withMemory(TWO_INSTANCES),
                            KNOBS,
                            Duration.ofHours(2),
                            folder("little" + seed),
                            () -> false);
            assertThat(Set.copyOf(whole.changes())).isEqualTo(HELP);
            assertThat(Set.copyOf(little.changes())).isEqualTo(HELP);
            seconds[0] += whole.seconds();
            seconds[1] += little.seconds();
        }
        assertThat(seconds[1]).isGreaterThan(1.3 * seconds[0]);
    }

    @Test
    void rejectsSettingsWithoutEffect() throws Exception {
        List<String> knobs = IntStream.range(0, 8).mapToObj(i -> "k" + i + ":0,1").toList();
        int taken = 0;
        for (int seed = 0; seed < 15; seed++) {
            Tuned tuned =
                    tuned(
                            service(Model.e1(), seed),
                            knobs,
                            Duration.ofHours(2),
                            folder("s" + seed),
                            () -> false);
            taken += tuned.changes().isEmpty() ? 0 : 1;
        }
        assertThat(taken).isLessThanOrEqualTo(2);
    }

    /// Prints the table of docs/tune.md.
    @ParameterizedTest
    @CsvSource({"0.013,0.01,28", "0.03,0.02,22", "0.05,0.02,12"})
    @Tag("full") // 30 tunings each
    void findsUsefulSettingsDespiteStartNoise(double starts, double blocks, int min)
            throws Exception {
        int both = 0;
        int atLeastOne = 0;
        int withoutEffect = 0;
        double seconds = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Tuned tuned = withinAnHour(HELPED.noise(starts, blocks), seed);
            Set<Change> taken = Set.copyOf(tuned.changes());
            both += taken.containsAll(HELP) ? 1 : 0;
            atLeastOne += HELP.stream().anyMatch(taken::contains) ? 1 : 0;
            withoutEffect += HELP.containsAll(taken) ? 0 : 1;
            seconds += tuned.seconds();
        }
        System.out.printf(
                Locale.ROOT,
                "| %.1f %% | %d of %d | %d of %d | %.0f min | %d of %d |%n",
                100 * starts,
                both,
                SEEDS,
                atLeastOne,
                SEEDS,
                seconds / SEEDS / 60,
                withoutEffect,
                SEEDS);
        assertThat(both).isGreaterThanOrEqualTo(min);
        assertThat(withoutEffect).isLessThanOrEqualTo(MAX_WITHOUT_EFFECT);
    }

    /// If other processes use a varying share of the CPU, throughput varies, but the CPU time of a
    /// request does not.
    @Test
    void cpuTimeOfARequestDecidesWhereTheCpuIsTheLimit() throws Exception {
        int seeds = 15;
        int both = 0;
        int herrings = 0;
        for (int seed = 0; seed < seeds; seed++) {
            Tuned tuned =
                    tuned(
                            service(HELPED, seed).stealing(0.05),
                            List.of("a:0,1", "cache:off,on", "b:0,1", "pool:narrow,wide"),
                            Duration.ofMinutes(30),
                            folder("stolen" + seed),
                            () -> false);
            Set<Change> taken = Set.copyOf(tuned.changes());
            both += taken.containsAll(HELP) ? 1 : 0;
            herrings += HELP.containsAll(taken) ? 0 : 1;
            assertThat(tuned.confirmed().map(Measured::by)).contains(Metric.CPU);
            assertThat(tuned.confirmed().flatMap(Measured::throughputInterval).orElseThrow())
                    .matches(i ->
                            i.contains(
                                    tuned.confirmed()
                                            .flatMap(Measured::throughputRatio)
                                            .orElseThrow()));
        }
        assertThat(both).isGreaterThanOrEqualTo((int) (0.9 * seeds));
        assertThat(herrings).isLessThanOrEqualTo(1);
    }

    /// Prints the line below the table of docs/tune.md.
    @ParameterizedTest
    @CsvSource({"0.013,0.01", "0.03,0.02", "0.05,0.02"})
    @Tag("full") // 30 tunings each
    void rejectsUselessSettingsDespiteStartNoise(double starts, double blocks) throws Exception {
        int taken = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Tuned tuned = withinAnHour(Model.e1().noise(starts, blocks), seed);
            taken += tuned.changes().isEmpty() ? 0 : 1;
        }
        System.out.printf(
                Locale.ROOT,
                "starts differ by %.1f %%, no setting does anything: %d of %d took one%n",
                100 * starts,
                taken,
                SEEDS);
        assertThat(taken).isLessThanOrEqualTo(MAX_WITHOUT_EFFECT);
    }

    /// Two settings that may help, among six that do nothing.
    private Tuned withinAnHour(Model model, int seed) throws Exception {
        return tuned(
                service(model, seed),
                List.of("a:0,1", "cache:off,on", "b:0,1,2,3", "pool:narrow,wide", "c:0,1", "d:0,1"),
                Duration.ofHours(1),
                folder("s" + seed),
                () -> false);
    }

    @Test
    void staysWithinBudget() throws Exception {
        for (int minutes : new int[] {10, 15, 20, 30, 45, 60, 90}) {
            for (int seed = 0; seed < 5; seed++) {
                Duration budget = Duration.ofMinutes(minutes);
                Tuned tuned =
                        tuned(
                                service(HELPED.noise(0.03, 0.02), seed),
                                List.of("a:0,1", "cache:off,on", "b:0,1,2,3", "pool:narrow,wide"),
                                budget,
                                folder(minutes + "-" + seed),
                                () -> false);
                assertThat(tuned.seconds())
                        .as("budget %d min, seed %d", minutes, seed)
                        .isLessThanOrEqualTo(Durations.seconds(budget));
            }
        }
    }

    /// The service becomes warm after 25 minutes, which the plan's warm-up allows.
    @Test
    void staysWithinBudgetDespiteLongDiagnosis() throws Exception {
        for (int minutes = 60; minutes <= 180; minutes += 5) {
            Duration budget = Duration.ofMinutes(minutes);
            Tuned tuned =
                    tuned(
                            service(HELPED, 1).warmingUp(1500),
                            List.of("cache:off,on", "pool:narrow,wide"),
                            budget,
                            folder("slow-" + minutes),
                            () -> false);
            assertThat(tuned.seconds())
                    .as("budget %d min", minutes)
                    .isLessThanOrEqualTo(Durations.seconds(budget));
        }
    }

    /// With all changes together, the service fails under the load of the confirmation, as if it
    /// ran out of memory.
    @Test
    void changesThatFailInTheConfirmationAreNotKept() throws Exception {
        var service = service(HELPED.noise(0.002, 0.001), 1).withMemory(TWO_INSTANCES);
        Tuned tuned =
                new SimulatedTuning(clock)
                        .tuned(
                                service,
                                KNOBS,
                                Duration.ofHours(2),
                                folder("fails"),
                                () -> false,
                                new Deaf() {
                                    @Override
                                    public void starts(Step step, int start, int min, int max) {
                                        if (step instanceof Step.Confirm) {
                                            service.becomes(HELPED.wrongWith("-Dcache=on"));
                                        }
                                    }
                                });
        assertThat(tuned.rounds()).isNotEmpty();
        assertThat(tuned.changes()).isEmpty();
        assertThat(tuned.confirmed()).isEmpty();
        assertThat(tuned.notes())
                .anyMatch(n ->
                        n instanceof Note.NotConfirmed(String why)
                                && why.contains("with -Dcache=on"));
    }

    @Test
    void resumedTuningReachesSameResult() throws Exception {
        Model quiet = HELPED.noise(0.002, 0.001);
        SimulatedService whole = service(quiet, 1);
        Set<Change> wanted =
                Set.copyOf(
                        tuned(whole, KNOBS, Duration.ofHours(2), folder("whole"), () -> false)
                                .changes());
        assertThat(wanted).isEqualTo(HELP);
        for (int call = 1; call <= whole.calls(); call++) {
            Path own = folder("killed-" + call);
            SimulatedService killed = service(quiet, call).killAt(call);
            assertThatThrownBy(() -> tuned(killed, KNOBS, Duration.ofHours(2), own, () -> false))
                    .isInstanceOf(SimulatedService.Killed.class);
            SimulatedService again = service(quiet, 1000 + call);
            Tuned tuned = tuned(again, KNOBS, Duration.ofHours(2), own, () -> false);
            assertThat(Set.copyOf(tuned.changes())).as("killed at %d", call).isEqualTo(wanted);
            assertThat(again.open()).isZero();
            // finished steps are not measured again
            assertThat(again.calls()).isLessThanOrEqualTo(whole.calls() + 12);
        }
    }

    /// How many candidates run at once depends on the memory when the tuning began.
    @Test
    void resumedTuningWithLessMemoryRepeatsNothing() throws Exception {
        Model quiet = HELPED.noise(0.002, 0.001);
        SimulatedService whole = service(quiet, 1);
        Tuned first = tuned(whole, KNOBS, Duration.ofHours(2), folder("whole"), () -> false);
        for (int call = 10; call <= whole.calls(); call += 7) {
            Path own = folder("killed-" + call);
            SimulatedService killed = service(quiet, 1).killAt(call);
            assertThatThrownBy(() -> tuned(killed, KNOBS, Duration.ofHours(2), own, () -> false))
                    .isInstanceOf(SimulatedService.Killed.class);
            SimulatedService again = service(quiet, 1000 + call).withMemory(TWO_INSTANCES);
            Tuned tuned = tuned(again, KNOBS, Duration.ofHours(2), own, () -> false);
            assertThat(tuned.changes()).as("killed at %d", call).isEqualTo(first.changes());
            assertThat(again.calls()).isLessThanOrEqualTo(whole.calls() - call + 60);
        }
    }

    @Test
    void stopAtAnyMomentKeepsOnlyProvedChanges() throws Exception {
        Model quiet = HELPED.noise(0.002, 0.001);
        SimulatedService whole = service(quiet, 1);
        tuned(whole, KNOBS, Duration.ofHours(2), folder("whole"), () -> false);
        for (int n = 0; n <= whole.calls(); n += 3) {
            int call = n;
            SimulatedService service = service(quiet, 7);
            Tuned tuned =
                    tuned(
                            service,
                            KNOBS,
                            Duration.ofHours(2),
                            folder("stopped-" + n),
                            () -> service.calls() >= call);
            List<Tried> accepted =
                    tuned.rounds().stream()
                            .flatMap(r -> r.tried().stream())
                            .filter(t -> t.fate() == Fate.ACCEPTED)
                            .toList();
            assertThat(service.open()).isZero();
            assertThat(
                            accepted.stream()
                                    .flatMap(t -> t.candidate().changes().stream())
                                    .collect(Collectors.toSet()))
                    .containsAll(tuned.changes());
            assertThat(tuned.partial() || call >= whole.calls() - 3)
                    .as("stop at %d", call)
                    .isTrue();
        }
    }

    @Test
    void rejectsChangeThatFailsToStartOrAnswersWrongly() throws Exception {
        Model bad = HELPED.with("-Dfast=yes", 0.1).wrongWith("-Dfast=yes").refusing("-Dmode=odd");
        Tuned tuned =
                tuned(
                        service(bad, 3),
                        List.of("fast:no,yes", "mode:even,odd", "cache:off,on"),
                        Duration.ofHours(2),
                        folder("bad"),
                        () -> false);
        assertThat(tuned.changes()).containsExactly(new Change.SystemProperty("cache", "on"));
        assertThat(fates(tuned, "knob-fast")).containsOnly(Fate.INFEASIBLE);
        assertThat(fates(tuned, "knob-mode")).containsOnly(Fate.DOES_NOT_START);
    }

    @Test
    void removesChangeThatIsNoLongerNeeded() throws Exception {
        // the wide pool helps only while there is no cache
        Model hidden = Model.e1().with("-Dcache=on", 0.7).with("-Dpool=wide", 0.9);
        var service =
                new SimulatedService(
                        hidden.noise(0.002, 0.001).cancelling("-Dcache=on", "-Dpool=wide"),
                        clock,
                        5);
        Tuned tuned =
                tuned(
                        service,
                        List.of("pool:narrow,wide", "cache:off,on"),
                        Duration.ofHours(2),
                        folder("hidden"),
                        () -> false);
        assertThat(tuned.changes()).containsExactly(new Change.SystemProperty("cache", "on"));
    }

    /// At twice the knee of a pool of 5, a pool of 13 is as good as a pool of 60. At the highest
    /// load that the CPU allows, the pool of 60 gives three times the throughput.
    @Test
    void aPoolIsAsLargeAsTheServiceCanUse() throws Exception {
        int largest = 0;
        for (int seed = 0; seed < 5; seed++) {
            Tuned tuned =
                    tuned(
                            service(POOLED, seed),
                            List.of("a:0,1", "pool:5,13,30,60", "b:0,1"),
                            Duration.ofMinutes(30),
                            folder("pool" + seed),
                            () -> false);
            largest +=
                    tuned.changes().equals(List.of(new Change.SystemProperty("pool", "60")))
                                    && tuned.confirmed().orElseThrow().gain().orElseThrow() > 5
                            ? 1
                            : 0;
            assertThat(tuned.seconds()).isLessThanOrEqualTo(30 * 60);
        }
        assertThat(largest).as("of 5").isEqualTo(5);
    }

    /// The budget ends the search only if it has no time for another diagnosis and the steps after
    /// it.
    @Test
    void repeatsDiagnosisWithinBudget() throws Exception {
        for (int seed = 0; seed < 5; seed++) {
            Tuned tuned =
                    tuned(
                            service(POOLED, seed),
                            List.of("pool:5,13,30,60"),
                            Duration.ofMinutes(20),
                            folder("again" + seed),
                            () -> false);
            assertThat(tuned.changes()).isNotEmpty();
            assertThat(tuned.searchEnd().filter(SearchEnd::anew))
                    .as("seed %d, %.0f s", seed, tuned.seconds())
                    .isEmpty();
        }
    }

    @Test
    void budgetForTheRestIsTheSumOfItsParts() throws Exception {
        List<SearchEnd> ends = new ArrayList<>();
        for (int minutes = 8; minutes <= 16; minutes += 2) {
            tuned(
                            service(POOLED, 1),
                            List.of("a:0,1", "b:0,1", "c:0,1", "pool:5,13,30,60"),
                            Duration.ofMinutes(minutes),
                            folder("sum" + minutes),
                            () -> false)
                    .searchEnd()
                    .ifPresent(ends::add);
        }
        assertThat(ends).isNotEmpty();
        for (SearchEnd end : ends) {
            double sum = end.spentSeconds() + end.remainingSeconds();
            assertThat((double) end.enough().toSeconds()).isBetween(sum, sum + 60);
            assertThat(end.next()).isBetween(end.budget(), end.enough());
        }
    }

    private static List<Fate> fates(Tuned tuned, String id) {
        List<Fate> fates = new ArrayList<>();
        tuned.rounds().stream()
                .flatMap(r -> r.tried().stream())
                .filter(t -> t.candidate().id().equals(id))
                .forEach(t -> fates.add(t.fate()));
        return fates;
    }
}
