package dev.jdyno.guard;

import dev.jdyno.compare.Block;
import dev.jdyno.compare.Loads;
import dev.jdyno.compare.Metric;
import dev.jdyno.compare.SeparateTrial;
import dev.jdyno.compare.Variant;
import dev.jdyno.judge.Judge;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.statistics.Quantiles;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Plan;
import dev.jdyno.trial.Service;
import dev.jdyno.trial.Session;
import dev.jdyno.trial.Side;
import dev.jdyno.trial.TrialListener;
import dev.jdyno.trial.TrialOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Measures a service as on every other day: some starts with blocks at the same two loads, then
/// one start for the diagnosis.
final class Measuring {
    /// Number of blocks at each load in a start.
    private static final int BLOCKS = 2;

    /// Factor by which diagnostic windows are longer if a figure looks worse. Longer windows show
    /// which methods grew.
    static final int LONGER = 2;

    private static final Duration MIN_WARM_UP = Duration.ofSeconds(3);
    private static final int WARM_UP_CONCURRENCY = 8;

    private final Plan plan;
    private final GuardSettings settings;
    private final Service service;
    private final Session session;
    private Optional<Loads> loads;
    private int discarded;
    private int disturbedBlocks;
    private int measured;

    /// @param loads loads of earlier days; empty: found at the first start
    Measuring(
            Plan plan,
            GuardSettings settings,
            Optional<Loads> loads,
            Service service,
            Session session) {
        this.plan = plan;
        this.settings = settings;
        this.loads = loads;
        this.service = service;
        this.session = session;
    }

    /// Measures the service. Empty if it was stopped before there was a result.
    ///
    /// @throws UserError if the service does not start or gives no good answer
    Optional<Measured> measure() throws InterruptedException {
        measured++;
        discarded = 0;
        disturbedBlocks = 0;
        List<Map<Metric, Double>> starts = new ArrayList<>();
        List<Double> steps = new ArrayList<>();
        for (int i = 1; i <= settings.starts() && !session.isStopped(); i++) {
            Map<Metric, Double> figures = start(i, steps);
            if (!figures.isEmpty()) {
                starts.add(figures);
            }
        }
        if (session.isStopped() || loads.isEmpty()) {
            return Optional.empty();
        }
        TrialOutcome observed = look(loads.get(), measured > 1);
        if (session.isStopped() || observed.recording().rounds().isEmpty()) {
            return Optional.empty();
        }
        double[] sorted = steps.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return Optional.of(
                new Measured(
                        starts,
                        Quantiles.median(sorted),
                        loads.get(),
                        discarded,
                        disturbedBlocks,
                        Judge.verdict(observed.recording()).bottleneck(),
                        observed.recording(),
                        starts.size() == settings.starts()));
    }

    private Map<Metric, Double> start(int number, List<Double> steps) throws InterruptedException {
        session.listener().phase("start " + number + " of " + settings.starts());
        Map<Metric, List<Double>> values = new EnumMap<>(Metric.class);
        try (Side side =
                service.open(
                        new Variant(plan, List.of()).started(),
                        session.inside("start-" + measured + "-" + number))) {
            side.warmUp(new Plan.Warmup(MIN_WARM_UP, settings.warmup(), WARM_UP_CONCURRENCY));
            if (loads.isEmpty()) {
                session.listener().phase("finding the loads for this day and those to come");
                loads =
                        Optional.of(side.capacity())
                                .filter(c -> c.qps() > 0)
                                .map(Loads::of)
                                .map(l -> plan.drive().isPresent() ? l.withoutRate() : l);
            }
            for (int i = 0; i < BLOCKS && loads.isPresent(); i++) {
                int block = number * BLOCKS + i;
                for (Metric.Load load : Metric.Load.of(plan.drive().isPresent())) {
                    steps.add(service.machineStepNs());
                    block(side, load, loads.get())
                            .ifPresent(round -> {
                                session.listener()
                                        .block(
                                                new TrialListener.Block(
                                                        TrialListener.Block.SERVICE,
                                                        load.name(),
                                                        block),
                                                round);
                                add(round, load, values);
                            });
                }
            }
        }
        Map<Metric, Double> means = new EnumMap<>(Metric.class);
        values.forEach((metric, of) ->
                means.put(
                        metric,
                        of.stream().mapToDouble(Double::doubleValue).average().orElseThrow()));
        return means;
    }

    private void add(Round round, Metric.Load load, Map<Metric, List<Double>> values) {
        disturbedBlocks += Usable.isDisturbedByOthers(round) ? 1 : 0;
        for (Metric metric : Metric.values()) {
            if (metric.load() == load && Usable.is(metric, round)) {
                metric.of(round)
                        .ifPresent(
                                v -> values.computeIfAbsent(metric, _ -> new ArrayList<>()).add(v));
            }
        }
    }

    private Optional<Round> block(Side side, Metric.Load load, Loads at)
            throws InterruptedException {
        var block = new Block(load, at, settings.block());
        session.listener().measuring("measuring " + block.says());
        return block.measure(side, session.stop(), () -> discarded++);
    }

    /// Diagnoses the service at the saturated load, at half of it, and with one request in flight.
    ///
    /// @param longer whether a figure looks worse, so that diagnostic windows are longer
    TrialOutcome look(Loads at, boolean longer) throws InterruptedException {
        session.listener().phase("looking into the service");
        Plan observed = longer ? plan.withEvidence(longer(plan.evidence())) : plan;
        return new SeparateTrial(settings.block(), settings.warmup(), service, session)
                .into(
                        new Variant(observed, List.of()),
                        List.of(
                                1,
                                Math.max(2, at.concurrency() / 2),
                                Math.max(3, at.concurrency())),
                        "look-" + measured);
    }

    private static Plan.Evidence longer(Plan.Evidence usual) {
        return new Plan.Evidence(usual.window().multipliedBy(LONGER), usual.dumps() * LONGER);
    }
}
