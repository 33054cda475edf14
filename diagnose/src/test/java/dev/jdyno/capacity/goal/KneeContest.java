package dev.jdyno.capacity.goal;

import dev.jdyno.measure.load.Goal;
import dev.jdyno.measure.statistics.Quantiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// Compares common knee searches with the one of jdyno on the same simulated services. Their true
/// knee is known from a very long simulation.
final class KneeContest {
    /// @param good a rate that the method calls good; every method gives one
    /// @param bad a rate that it calls bad
    record Result(double good, double bad, double estimate, double loadSeconds) {}

    interface Method {
        Result run(SimulatedService service, SimulatedService.Setting setting, Goal goal);
    }

    /// @param error median of estimate / truth − 1
    /// @param holds share of runs whose bracket contains the truth
    /// @param tooHigh share of runs whose good bound is more than 3 % above the truth
    record Row(
            String method,
            double error,
            double spread,
            double holds,
            double tooHigh,
            double width,
            double loadSeconds) {}

    private KneeContest() {}

    /// The rate at which exactly the allowed share misses, by bisection over long runs.
    static double truth(SimulatedService.Setting setting, Goal goal, double seconds) {
        double lo = 0.3 * setting.saturation();
        double hi = setting.saturation();
        for (int i = 0; i < 12; i++) {
            double mid = Math.sqrt(lo * hi);
            var service = new SimulatedService(setting, 4711);
            var trial =
                    service.drive(new OpenTrial(mid, List.of(), List.of()), seconds, List.of(goal));
            if (share(trial, 20) > goal.allowedShare()) {
                hi = mid;
            } else {
                lo = mid;
            }
        }
        return Math.sqrt(lo * hi);
    }

    /// @param first seed
    static Row contest(
            String name,
            Method method,
            SimulatedService.Setting setting,
            Goal goal,
            double truth,
            int first,
            int seeds) {
        double[] errors = new double[seeds];
        double[] seconds = new double[seeds];
        double[] widths = new double[seeds];
        int holds = 0;
        int tooHigh = 0;
        for (int s = 0; s < seeds; s++) {
            Result r = method.run(new SimulatedService(setting, first + s), setting, goal);
            errors[s] = r.estimate() / truth - 1;
            seconds[s] = r.loadSeconds();
            widths[s] = r.good() > 0 ? Math.min(1, r.bad() / r.good() - 1) : 1;
            holds += r.good() <= truth && truth <= r.bad() ? 1 : 0;
            tooHigh += r.good() > 1.03 * truth ? 1 : 0;
        }
        return new Row(
                name,
                Quantiles.median(errors),
                Quantiles.of(errors, 0.95) - Quantiles.of(errors, 0.05),
                holds / (double) seeds,
                tooHigh / (double) seeds,
                Quantiles.median(widths),
                Quantiles.median(seconds));
    }

    static Method ours(double budgetSeconds, double precision, boolean seePauses) {
        return (service, setting, goal) -> {
            OpenKnee knee = search(service, goal, budgetSeconds, precision, seePauses);
            return new Result(
                    knee.good().orElse(0),
                    knee.bad().orElse(Double.POSITIVE_INFINITY),
                    knee.estimate(),
                    knee.loadSeconds());
        };
    }

    /// Our search with the knee of the day before.
    static OpenKnee daily(SimulatedService service, Goal goal, double knownKnee) {
        var settings =
                new OpenKneeSearch.Settings(
                        List.of(goal),
                        300,
                        0.05,
                        0.05,
                        15,
                        10,
                        2,
                        OptionalDouble.of(knownKnee),
                        PauseLog.NONE);
        return search(service, goal, settings, true);
    }

    static OpenKnee search(
            SimulatedService service,
            Goal goal,
            double budgetSeconds,
            double precision,
            boolean seePauses) {
        return search(
                service,
                goal,
                OpenKneeSearch.Settings.of(List.of(goal), budgetSeconds, precision),
                seePauses);
    }

    static OpenKnee search(
            SimulatedService service,
            Goal goal,
            OpenKneeSearch.Settings settings,
            boolean seePauses) {
        List<Goal> goals = List.of(goal);
        var search = new OpenKneeSearch(settings);
        Optional<OpenKneeSearch.Probe> probe = Optional.empty();
        List<OpenTrial> trials = new ArrayList<>();
        while (true) {
            switch (search.next(probe, trials)) {
                case OpenKneeSearch.Step.Probe(double seconds) ->
                        probe =
                                Optional.of(
                                        new OpenKneeSearch.Probe(
                                                service.saturate(seconds), seconds, false));
                case OpenKneeSearch.Step.Drive(
                                double rate,
                                double seconds,
                                boolean fresh,
                                String _) -> {
                    if (fresh) {
                        service.rest();
                        trials.add(new OpenTrial(rate, List.of(), List.of()));
                    }
                    OpenTrial driven = service.drive(trials.removeLast(), seconds, goals);
                    trials.add(
                            seePauses ? driven : new OpenTrial(rate, driven.slices(), List.of()));
                }
                case OpenKneeSearch.Step.Done(OpenKnee knee) -> {
                    return knee;
                }
            }
        }
    }

    /// k6 as its guides use it: the rate rises evenly for 5 minutes. A threshold on the quantile of
    /// the last 10 s ends the run.
    static Result ramp(SimulatedService service, SimulatedService.Setting setting, Goal goal) {
        double seconds = 0;
        List<OpenTrial.Slice> window = new ArrayList<>();
        while (true) {
            double rate = setting.saturation() * 1.3 * (seconds + 1) / 300;
            var t = service.drive(new OpenTrial(rate, List.of(), List.of()), 1, List.of(goal));
            seconds++;
            window.addAll(t.slices());
            if (window.size() > 10) {
                window.removeFirst();
            }
            double requests = window.stream().mapToDouble(OpenTrial.Slice::requests).sum();
            double misses = window.stream().mapToDouble(s -> s.misses().getFirst()).sum();
            // a single early miss among few requests would not end a run of k6 either
            boolean crossed =
                    seconds >= 10 && misses > 5 && misses > goal.allowedShare() * requests;
            if (crossed || seconds >= 300) {
                return new Result(rate * 0.95, rate, rate, seconds);
            }
        }
    }

    /// The method of Nighthawk: doubles the rate from a tenth of saturation, then halves the
    /// interval six times.
    static Method doublingThenBinary(double trialSeconds) {
        return (service, setting, goal) -> {
            double seconds = 0;
            double lo = 0;
            double hi = setting.saturation() / 10;
            while (passes(service, hi, trialSeconds, goal)) {
                lo = hi;
                hi *= 2;
                seconds += trialSeconds;
            }
            seconds += trialSeconds;
            for (int i = 0; i < 6; i++) {
                double mid = (lo + hi) / 2;
                seconds += trialSeconds;
                if (passes(service, mid, trialSeconds, goal)) {
                    lo = mid;
                } else {
                    hi = mid;
                }
            }
            return new Result(lo, hi, (lo + hi) / 2, seconds);
        };
    }

    /// A careful manual search: 60 s at each step of 5 %, upwards from half of saturation.
    static Result staircase(SimulatedService service, SimulatedService.Setting setting, Goal goal) {
        double rate = setting.saturation() / 2;
        double seconds = 60;
        while (passes(service, rate, 60, goal)) {
            rate *= 1.05;
            seconds += 60;
        }
        return new Result(rate / 1.05, rate, rate / Math.sqrt(1.05), seconds);
    }

    private static boolean passes(
            SimulatedService service, double rate, double seconds, Goal goal) {
        service.rest();
        var trial =
                service.drive(new OpenTrial(rate, List.of(), List.of()), seconds, List.of(goal));
        return share(trial, 0) <= goal.allowedShare();
    }

    private static double share(OpenTrial trial, int skip) {
        double requests = 0;
        double misses = 0;
        for (OpenTrial.Slice s : trial.slices().subList(skip, trial.slices().size())) {
            requests += s.requests();
            misses += s.misses().getFirst();
        }
        return misses / requests;
    }
}
