package dev.jdyno.trial;

import dev.jdyno.inside.HostAtRest;
import dev.jdyno.inside.Inside;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.measure.Slice;
import dev.jdyno.measure.load.LoadPoint;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.Texts;
import dev.jdyno.measure.verdict.DecidingWarning;
import dev.jdyno.measure.verdict.Validity;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.plan.Plan;
import dev.jdyno.target.ProcFs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/// Checks the conditions before load time is spent on an answer: whether the host is quiet, whether
/// the JVM has finished compiling and loading classes, and how much two windows at the same load
/// differ (A/A). No figure of the run can be more precise than that difference.
final class Preflight {
    /// Time without requests in which the CPU use of other processes is measured.
    private static final double IDLE_SECONDS = 2;

    /// Minimum time for a valid measurement of the idle host. A shorter one, after an interrupt,
    /// has only a few ticks of a 10 ms clock.
    private static final double MIN_IDLE_SECONDS = 0.5;

    /// Minimum share of the machine used by other processes for a warning. The prediction of the
    /// knee (F1) assumes an idle machine.
    static final double OTHERS_SHARE = 0.15;

    static final double STEAL_PCT = 5;

    /// Cores used by the compiler threads below which compilation counts as finished.
    private static final double COMPILING_CORES = 0.05;

    /// Classes loaded per second that are normal in any service; above it, class loading goes on.
    private static final double CLASSES_PER_S = 3;

    /// Seconds for which compiler and class loader must have been quiet.
    private static final int QUIET_SECONDS = 3;

    private static final Duration LONGEST = Duration.ofSeconds(30);

    /// Seconds of each of the two equal windows.
    private static final int HALF = 4;

    /// Relative difference between two equal windows from which a warning is given.
    static final double NOISY = 0.05;

    private final Loading loading;
    private final JvmWatch jvm;
    private final TrialListener listener;
    private final List<Warning> warnings = new ArrayList<>();

    Preflight(Loading loading, JvmWatch jvm, TrialListener listener) {
        this.loading = loading;
        this.jvm = jvm;
        this.listener = listener;
    }

    /// @return warnings that limit the trust in the figures that follow
    List<Warning> run(Plan plan, int cores) throws InterruptedException {
        String host = host(cores);
        awaitQuietJvm(plan);
        Optional<String> same = twice(plan);
        listener.note("preflight: " + host + same.map(s -> "; " + s).orElse(""));
        return List.copyOf(warnings);
    }

    /// Checks the host alone, for runs that search no goals.
    static List<Warning> host(Loading loading, TrialListener listener, int cores)
            throws InterruptedException {
        try (var unwatched = JvmWatch.open(Optional.empty(), loading.clock())) {
            var preflight = new Preflight(loading, unwatched, listener);
            listener.note("host: " + preflight.host(cores));
            return List.copyOf(preflight.warnings);
        }
    }

    private String host(int cores) throws InterruptedException {
        listener.phase("preflight: who else uses this machine");
        loading.drain(Durations.seconds(LONGEST));
        Optional<HostAtRest.Totals> before = atRest(loading);
        long start = loading.clock().nanos();
        loading.waitFor(IDLE_SECONDS);
        Optional<HostAtRest.Totals> after = atRest(loading);
        double seconds = loading.clock().secondsSince(start);
        if (before.isEmpty() || after.isEmpty()) {
            return "the host's load is unknown";
        }
        if (seconds < MIN_IDLE_SECONDS) {
            return "interrupted before the host's load was seen";
        }
        var seen = HostAtRest.between(before.get(), after.get(), seconds);
        if (seen.othersCores() >= OTHERS_SHARE * cores) {
            warnings.add(
                    new Warning(
                            Validity.OTHER_PROCESSES,
                            Texts.say(
                                    "other processes held %.2f of the %d cores before any load was sent:"
                                            + " without them the service may give more, and the predicted knee is"
                                            + " not reliable",
                                    seen.othersCores(), cores),
                            false));
        }
        if (seen.stealPct() >= STEAL_PCT) {
            warnings.add(
                    new Warning(
                            DecidingWarning.STEAL.id(),
                            Texts.say(
                                    "the hypervisor took %.0f %% of the machine's CPU before any"
                                            + " load was sent",
                                    seen.stealPct()),
                            false));
        }
        return Texts.say(
                "other processes use %.2f of %d cores at rest, steal %.0f %%",
                seen.othersCores(), cores, seen.stealPct());
    }

    /// CPU use of the machine on which the target runs.
    static Optional<HostAtRest.Totals> atRest(Loading loading) throws InterruptedException {
        Optional<Inside> inside = loading.trialSetup().inside();
        return inside.isPresent()
                ? inside.get().hostAtRest()
                : new HostAtRest(ProcFs.SYSTEM, Optional.empty()).read();
    }

    /// Waits until the JVM compiles and loads little. A JVM that still does so is faster a minute
    /// later.
    private void awaitQuietJvm(Plan plan) throws InterruptedException {
        listener.phase("preflight: until the JVM has compiled and loaded its classes");
        loading.settle(closed(plan), 0.5);
        long start = loading.clock().nanos();
        Optional<JvmWatch.WarmUp> before = jvm.warmUp();
        while (!loading.stopped() && before.isPresent()) {
            loading.waitFor(QUIET_SECONDS);
            JvmWatch.WarmUp now = jvm.warmUp().orElseThrow();
            double compiling =
                    (now.compilerSeconds() - before.get().compilerSeconds()) / QUIET_SECONDS;
            double classes = (now.classes() - before.get().classes()) / (double) QUIET_SECONDS;
            if (compiling < COMPILING_CORES && classes < CLASSES_PER_S) {
                return;
            }
            if (loading.clock().secondsSince(start) >= Durations.seconds(LONGEST)) {
                warnings.add(
                        new Warning(
                                "jit",
                                Texts.say(
                                        "the JVM still compiled with %.2f cores and loaded %.0f classes a second"
                                                + " after the warm-up and %s more",
                                        compiling, classes, Durations.format(LONGEST)),
                                false));
                return;
            }
            before = Optional.of(now);
        }
    }

    /// Applies the same load twice and compares the windows; empty if the run was stopped.
    private Optional<String> twice(Plan plan) throws InterruptedException {
        listener.phase("preflight: two equal windows");
        loading.settle(closed(plan), 0.5);
        var windows = new Windows(LoadPoint.Part.WARM_UP);
        boolean goesOn = true;
        for (int s = 0; s < 2 * HALF && goesOn; s++) {
            goesOn = loading.slice(windows).isPresent();
        }
        List<Slice> slices = windows.slices();
        if (slices.size() < 2 * HALF) {
            return Optional.empty();
        }
        double qps = difference(slices, Slice::qps);
        double rt = difference(slices, Slice::rtMeanMs);
        if (Math.max(qps, rt) > NOISY) {
            warnings.add(
                    new Warning(
                            DecidingWarning.NOISE.id(),
                            Texts.say(
                                    "two equal windows of %d s differed by %.0f %% in throughput and %.0f %% in"
                                            + " response time (A/A): nothing here is known better than that",
                                    HALF, 100 * qps, 100 * rt),
                            false));
        }
        var client = windows.whole().client();
        return Optional.of(
                Texts.say(
                        "A/A differs by %.1f %% in throughput, %.1f %% in RT; client's busiest loop at"
                                + " %.0f %%%s",
                        100 * qps,
                        100 * rt,
                        client.busiestLoopPct(),
                        client.why().map(w -> " (" + w + ")").orElse("")));
    }

    /// Relative difference between the means of the two halves.
    private static double difference(List<Slice> slices, ToDoubleFunction<Slice> figure) {
        double a = slices.subList(0, HALF).stream().mapToDouble(figure).average().orElseThrow();
        double b =
                slices.subList(HALF, 2 * HALF).stream().mapToDouble(figure).average().orElseThrow();
        double larger = Math.max(a, b);
        return larger <= 0 ? 0 : Math.abs(a - b) / larger;
    }

    private static Level closed(Plan plan) {
        return new Level.Closed(plan.warmup().concurrency(), Duration.ZERO);
    }
}
