package dev.jdyno.capacity.goal;

import dev.jdyno.measure.load.Goal;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// A simulated service: one queue, k servers, first come first served, lognormal service times,
/// pauses of all servers, and a speed that drifts. It uses simulated time and seeded random
/// numbers.
///
/// Pauses are exact: the queue runs in its own time, which stops during pauses.
final class SimulatedService {
    /// @param servers k
    /// @param serviceMs mean service time
    /// @param serviceCv its coefficient of variation
    /// @param youngEveryRequests requests between two young pauses; 0 for none
    /// @param longPerSecond rate of rare long pauses
    /// @param longMs their median; lognormal with σ = 0.5
    /// @param drift relative standard deviation of the speed
    /// @param driftSeconds time in which the drift forgets
    record Setting(
            String name,
            int servers,
            double serviceMs,
            double serviceCv,
            double youngEveryRequests,
            double youngMs,
            double longPerSecond,
            double longMs,
            double drift,
            double driftSeconds) {
        double saturation() {
            return servers / serviceMs * 1000;
        }
    }

    /// Two cores, 4 ms a request: saturated at 500/s.
    static final Setting QUIET = new Setting("quiet", 2, 4, 0.7, 0, 0, 0, 0, 0, 1);

    /// With a young pause of 8 ms every 400 requests and one of 120 ms every two minutes.
    static final Setting JVM = new Setting("jvm", 2, 4, 0.7, 400, 8, 1 / 120.0, 120, 0, 1);

    /// As above, with service times that vary more and a speed that drifts by 1.5 % within a
    /// minute.
    static final Setting NOISY = new Setting("noisy", 2, 4, 0.9, 400, 8, 1 / 120.0, 120, 0.015, 60);

    /// A pause of 160 ms every minute causes nearly all misses, so throughput changes little around
    /// the knee.
    static final Setting SOFT = new Setting("soft", 2, 4, 0.7, 400, 8, 1 / 60.0, 160, 0, 1);

    private static final double LONG_SIGMA = 0.5;
    private static final double YOUNG_SIGMA = 0.3;
    private static final double DRIFT_STEP_S = 1;

    private final Setting setting;
    private final SplittableRandom random;

    /// Time at which each server is free again, in ms of the queue's own time.
    private final double[] free;

    private double nowMs;
    private double stoppedMs;
    private double nextLongMs;
    private double untilYoung;
    private double speed = 1;
    private double nextDriftMs;

    /// Pauses that have ended in the queue's own time, but whose wall time is after some
    /// completions.
    private final List<double[]> recentPauses = new ArrayList<>();

    SimulatedService(Setting setting, long seed) {
        this.setting = setting;
        this.random = new SplittableRandom(seed);
        this.free = new double[setting.servers()];
        this.nextLongMs = exponential(1000 / Math.max(1e-12, setting.longPerSecond()));
        this.untilYoung = setting.youngEveryRequests();
        if (setting.drift() > 0) {
            speed = 1 + setting.drift() * random.nextGaussian();
        }
    }

    /// Empties the queue, as if the service had been idle before the next trial.
    void rest() {
        java.util.Arrays.fill(free, nowMs - stoppedMs);
        recentPauses.clear();
    }

    /// Drives the service at a Poisson rate and appends to the trial so far.
    OpenTrial drive(OpenTrial trial, double seconds, List<Goal> goals) {
        int whole = (int) Math.max(1, Math.round(seconds));
        double before = trial.seconds();
        double startMs = nowMs;
        long[][] misses = new long[whole][goals.size()];
        long[] requests = new long[whole];
        long[] inFlight = new long[whole];
        List<OpenTrial.Pause> pauses = new ArrayList<>(trial.pauses());
        double end = startMs + whole * 1000.0;
        while (true) {
            double arrival = nowMs + exponential(1000 / trial.ratePerS());
            if (arrival >= end) {
                nowMs = end;
                break;
            }
            nowMs = arrival;
            double rt = serve(arrival, startMs, before, pauses);
            // a request belongs to the second of its intended start
            int slice = (int) Math.min(whole - 1, (arrival - startMs) / 1000);
            requests[slice]++;
            int ended = (int) Math.min(whole, (arrival + rt - startMs) / 1000);
            for (int s = slice; s < ended; s++) {
                inFlight[s]++;
            }
            for (int g = 0; g < goals.size(); g++) {
                misses[slice][g] += rt > goals.get(g).limitMs().orElseThrow() ? 1 : 0;
            }
        }
        List<OpenTrial.Slice> slices = new ArrayList<>(trial.slices());
        for (int s = 0; s < whole; s++) {
            List<Long> m = new ArrayList<>();
            for (long v : misses[s]) {
                m.add(v);
            }
            slices.add(new OpenTrial.Slice(1, requests[s], m, inFlight[s]));
        }
        return new OpenTrial(trial.ratePerS(), slices, pauses);
    }

    /// Throughput if the queue is never empty.
    double saturate(double seconds) {
        double end = nowMs + seconds * 1000;
        rest();
        long done = 0;
        List<OpenTrial.Pause> ignored = new ArrayList<>();
        double start = nowMs;
        while (true) {
            double soonest = free[0];
            for (double f : free) {
                soonest = Math.min(soonest, f);
            }
            nowMs = Math.max(nowMs, soonest + stoppedMs);
            if (nowMs >= end) {
                break;
            }
            serve(nowMs, start, 0, ignored);
            done++;
        }
        return done / seconds;
    }

    /// @return its response time in ms
    private double serve(
            double arrival, double startMs, double before, List<OpenTrial.Pause> pauses) {
        pauseIfDue(arrival, startMs, before, pauses);
        drift(arrival);
        // an arrival during a pause sees the queue as it was at the start of the pause
        double met = Math.max(arrival - stoppedMs, lastPauseMet(arrival));
        int first = 0;
        for (int i = 1; i < free.length; i++) {
            first = free[i] < free[first] ? i : first;
        }
        double s2 = Math.log(1 + setting.serviceCv() * setting.serviceCv());
        double service =
                setting.serviceMs()
                        / speed
                        * Math.exp(Math.sqrt(s2) * random.nextGaussian() - s2 / 2);
        double done = Math.max(met, free[first]) + service;
        free[first] = done;
        return done + stoppedMs - arrival;
    }

    /// Starts a pause at the first arrival after it is due. All unfinished requests are delayed by
    /// it.
    private void pauseIfDue(
            double arrival, double startMs, double before, List<OpenTrial.Pause> pauses) {
        if (setting.youngEveryRequests() > 0 && --untilYoung <= 0) {
            untilYoung = setting.youngEveryRequests() * (0.9 + 0.2 * random.nextDouble());
            pause(arrival, setting.youngMs(), YOUNG_SIGMA, startMs, before, pauses);
        }
        while (setting.longPerSecond() > 0 && arrival >= nextLongMs) {
            nextLongMs += exponential(1000 / setting.longPerSecond());
            pause(arrival, setting.longMs(), LONG_SIGMA, startMs, before, pauses);
        }
    }

    private void pause(
            double at,
            double medianMs,
            double sigma,
            double startMs,
            double before,
            List<OpenTrial.Pause> pauses) {
        double ms = medianMs * Math.exp(sigma * random.nextGaussian());
        double begin = recentPauses.isEmpty() ? at : Math.max(at, recentPauses.getLast()[1]);
        recentPauses.add(new double[] {begin, begin + ms});
        stoppedMs += ms;
        if (recentPauses.size() > 64) {
            recentPauses.removeFirst();
        }
        pauses.add(new OpenTrial.Pause((begin - startMs) / 1000 + before, ms));
    }

    /// During a pause, the queue's own time stays at its value of the pause's start. `stoppedMs`
    /// already contains the whole pause, so this is the wall time of its end minus all stops.
    private double lastPauseMet(double arrival) {
        if (recentPauses.isEmpty() || arrival >= recentPauses.getLast()[1]) {
            return Double.NEGATIVE_INFINITY;
        }
        return recentPauses.getLast()[1] - stoppedMs;
    }

    /// An autoregressive random walk around 1, with one step a second.
    private void drift(double now) {
        while (setting.drift() > 0 && now >= nextDriftMs) {
            double keep = Math.exp(-DRIFT_STEP_S / setting.driftSeconds());
            speed =
                    1
                            + keep * (speed - 1)
                            + setting.drift() * Math.sqrt(1 - keep * keep) * random.nextGaussian();
            nextDriftMs += DRIFT_STEP_S * 1000;
        }
    }

    private double exponential(double mean) {
        return -mean * Math.log(1 - random.nextDouble());
    }
}
