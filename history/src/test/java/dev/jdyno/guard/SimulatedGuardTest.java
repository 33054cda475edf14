package dev.jdyno.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Note;
import dev.jdyno.history.Entries;
import dev.jdyno.history.Entry;
import dev.jdyno.history.Filter;
import dev.jdyno.history.History;
import dev.jdyno.history.Store;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.plan.Drive;
import dev.jdyno.plan.Plan;
import dev.jdyno.simulated.Model;
import dev.jdyno.simulated.SimulatedService;
import dev.jdyno.simulated.VirtualClock;
import dev.jdyno.trial.Session;
import dev.jdyno.trial.Silent;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The guard on days of a simulated service, in virtual time, with a real store.
class SimulatedGuardTest {
    private static final Instant FIRST = Instant.parse("2026-01-01T06:00:00Z");

    @TempDir Path folder;
    private final VirtualClock clock = new VirtualClock();

    private static Plan plan() {
        return Plan.of(
                "shop",
                URI.create("http://127.0.0.1:8080/"),
                new Plan.TargetPlan.Launch("java -jar shop.jar --port {port}"));
    }

    private History history(String name) {
        return History.open(new Store.File(folder.resolve(name + ".db")));
    }

    private Guarded day(SimulatedService service, History history, int day, BooleanSupplier stop)
            throws Exception {
        return day(plan(), service, history, day, stop);
    }

    private Guarded day(
            Plan plan, SimulatedService service, History history, int day, BooleanSupplier stop)
            throws Exception {
        return day(plan, GuardSettings.DEFAULT, service, history, day, stop);
    }

    private Guarded day(
            Plan plan,
            GuardSettings settings,
            SimulatedService service,
            History history,
            int day,
            BooleanSupplier stop)
            throws Exception {
        var guarding =
                new Guarding(
                        plan,
                        settings,
                        history,
                        service,
                        new Session(folder, new Silent(), clock, stop));
        Guarding.Outcome outcome =
                guarding.run(
                        new Entries.Origin(
                                FIRST.plus(Duration.ofDays(day)),
                                "jdyno guard shop.yaml",
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty()));
        if (outcome.entry().isPresent()) {
            Entry entry = outcome.entry().get();
            history.add(entry, outcome.reported());
        }
        return outcome.result();
    }

    private List<Guarded> days(SimulatedService service, History history, int from, int days)
            throws Exception {
        List<Guarded> all = new ArrayList<>();
        for (int i = from; i < from + days; i++) {
            all.add(day(service, history, i, () -> false));
        }
        return all;
    }

    private static long alarms(List<Guarded> days) {
        return days.stream().filter(d -> d.verdict() == Guarded.Overall.REGRESSION).count();
    }

    @Test
    void unchangedServiceIsRarelyCalledWorse() throws Exception {
        long alarms = 0;
        for (int seed = 0; seed < 5; seed++) {
            var service = new SimulatedService(Model.e1(), clock, seed);
            alarms += alarms(days(service, history("calm" + seed), 0, 20));
        }
        assertThat(alarms).isLessThanOrEqualTo(2);
    }

    @Test
    void higherCpuTimeIsConfirmedByASecondMeasurementAndReported() throws Exception {
        int found = 0;
        for (int seed = 0; seed < 5; seed++) {
            var service = new SimulatedService(Model.e1(), clock, seed);
            History history = history("grown" + seed);
            days(service, history, 0, 10);
            service.becomes(Model.e1().with("java", 1.1));
            List<Guarded> after = days(service, history, 10, 6);
            found += alarms(after) > 0 ? 1 : 0;
            assertThat(after)
                    .filteredOn(d -> d.verdict() == Guarded.Overall.REGRESSION)
                    .allMatch(Guarded::confirmed);
        }
        assertThat(found).isEqualTo(5);
    }

    @Test
    void withoutTimeForASecondMeasurementTheDayIsUnclear() throws Exception {
        GuardSettings d = GuardSettings.DEFAULT;
        var service = new SimulatedService(Model.e1(), clock, 1);
        History history = history("short");
        List<Guarded> calm = days(service, history, 0, 10);
        service.becomes(Model.e1().with("java", 1.3));
        double once = calm.getLast().seconds();
        var hurried =
                new GuardSettings(
                        d.starts(),
                        d.block(),
                        d.warmup(),
                        Optional.of(Durations.ofSeconds(1.5 * once)),
                        d.minEffect(),
                        d.branch(),
                        d.since());

        Guarded day = day(plan(), hurried, service, history, 10, () -> false);

        assertThat(day.verdict()).isEqualTo(Guarded.Overall.UNCLEAR);
        assertThat(day.confirmed()).isFalse();
        assertThat(day.seconds()).isLessThan(1.5 * once);
        assertThat(day.notes()).hasAtLeastOneElementOfType(Note.NotInBudget.class);
        assertThat(day(service, history, 11, () -> false).verdict())
                .isEqualTo(Guarded.Overall.REGRESSION);
    }

    /// A tool of the user uses other CPU and other connections than jdyno's own load.
    @Test
    void daysOfLoadToolAreComparedOnlyWithEachOther() throws Exception {
        var service = new SimulatedService(Model.e1(), clock, 1);
        History history = history("driven");
        days(service, history, 0, 5);
        Plan driven = plan().withDrive(Optional.of(Drive.parse("wrk {n} {seconds} {port}")));

        Guarded first = day(driven, service, history, 5, () -> false);
        Guarded second = day(driven, service, history, 6, () -> false);
        Guarded own = day(service, history, 7, () -> false);

        assertThat(first.days()).isZero();
        assertThat(second.days()).isEqualTo(1);
        assertThat(own.days()).isEqualTo(5);
        Entry newestOfTool = history.list(Filter.ALL).get(1);
        assertThat(newestOfTool.figures())
                .extracting(Entry.Figure::name)
                .contains(Metric.QPS.key(), Metric.CPU.key(), Metric.DRIVER_P50.key())
                .doesNotContain(Metric.P50.key(), Metric.P99.key(), "load.ratePerS");
    }

    /// A figure looks worse after the first measurement, and the user stops the second one.
    @Test
    void stopOfASecondMeasurementStoresNothing() throws Exception {
        History history = history("suspect");
        days(new SimulatedService(Model.e1(), clock, 1), history, 0, 10);
        Model grown = Model.e1().with("java", 1.3);
        var whole = new SimulatedService(grown, clock, 2);
        History copy = history("copy");
        days(new SimulatedService(Model.e1(), clock, 1), copy, 0, 10);
        assertThat(day(whole, copy, 10, () -> false).confirmed()).isTrue();

        for (int n = 1; n < whole.calls(); n++) {
            int call = n;
            var service = new SimulatedService(grown, clock, 2);
            Guarded result = day(service, history, 10, () -> service.calls() >= call);
            assertThat(result.partial()).as("stopped at %d", call).isTrue();
        }
        assertThat(history.list(Filter.ALL)).hasSize(10);
    }

    @Test
    void stopAtAnyMomentStoresNoPartialMeasurement() throws Exception {
        var whole = new SimulatedService(Model.e1(), clock, 1);
        History history = history("stopped");
        days(whole, history, 0, 1);
        for (int n = 1; n < whole.calls(); n++) {
            int call = n;
            var service = new SimulatedService(Model.e1(), clock, 2);
            Guarded result = day(service, history, 1, () -> service.calls() >= call);
            assertThat(result.partial()).as("stopped at %d", call).isTrue();
            assertThat(service.open()).isZero();
        }
        assertThat(history.list(Filter.ALL)).hasSize(1);
    }
}
