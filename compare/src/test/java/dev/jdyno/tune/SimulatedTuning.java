package dev.jdyno.tune;

import dev.jdyno.measure.verdict.Change;
import dev.jdyno.plan.Knob;
import dev.jdyno.plan.Plan;
import dev.jdyno.simulated.SimulatedService;
import dev.jdyno.simulated.VirtualClock;
import dev.jdyno.trial.Session;
import dev.jdyno.trial.Silent;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// Runs whole tunings of simulated services in virtual time.
record SimulatedTuning(VirtualClock clock) {
    private static Plan plan(List<String> knobs) {
        return Plan.of(
                        "shop",
                        URI.create("http://127.0.0.1:8080/"),
                        new Plan.TargetPlan.Launch("java -jar shop.jar --port {port}"))
                .withKnobs(
                        knobs.stream()
                                .map(k -> k.split("[:,]"))
                                .map(k ->
                                        new Knob(
                                                k[0],
                                                new Knob.Values.Listed(
                                                        Stream.of(k).skip(1).toList()),
                                                new Knob.Place.Property(k[0], Change.HOLE)))
                                .toList())
                .withWarmup(new Plan.Warmup(Duration.ofSeconds(6), Duration.ofHours(1), 8));
    }

    Tuned tuned(
            SimulatedService service,
            List<String> knobs,
            Duration budget,
            Path into,
            BooleanSupplier stop)
            throws InterruptedException {
        return tuned(service, knobs, budget, into, stop, new Deaf());
    }

    Tuned tuned(
            SimulatedService service,
            List<String> knobs,
            Duration budget,
            Path into,
            BooleanSupplier stop,
            Watch watch)
            throws InterruptedException {
        try (Tuning tuning = open(service, knobs, budget, into, stop, watch)) {
            return tuning.run();
        }
    }

    /// Diagnoses the service, and tries nothing.
    Preview preview(SimulatedService service, List<String> knobs, Duration budget, Path into)
            throws InterruptedException {
        try (Tuning tuning = open(service, knobs, budget, into, () -> false, new Deaf())) {
            return tuning.preview().orElseThrow();
        }
    }

    private Tuning open(
            SimulatedService service,
            List<String> knobs,
            Duration budget,
            Path into,
            BooleanSupplier stop,
            Watch watch) {
        return Tuning.open(
                plan(knobs),
                TuneSettings.DEFAULT.within(budget),
                PoolSettings.read(Optional.empty()),
                _ -> Optional.empty(),
                service,
                new Session(into, new Silent(), clock, stop),
                watch);
    }
}
