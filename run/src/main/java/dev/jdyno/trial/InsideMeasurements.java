package dev.jdyno.trial;

import dev.jdyno.inside.Inside;
import dev.jdyno.inside.InsideWindows;
import dev.jdyno.inside.Span;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Unseen;
import dev.jdyno.measure.text.Explaining;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.LoggingCost;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.thread.SourceLine;
import dev.jdyno.measure.thread.StageTimes;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.observe.ServerWindow;
import dev.jdyno.observe.jfr.ExceptionWatch;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.plan.Plan;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Measures flame graphs, exceptions and the times of stages at the loads of the diagnostic
/// windows, each in a separate window. A measurement that is not possible is reported once, and the
/// run goes on.
final class InsideMeasurements {
    private static final String PROFILER = "async-profiler";
    private static final String EXCEPTIONS = "exceptions";
    private static final String RECORDING = "jfr";

    private final Plan plan;
    private final Loading loading;
    private final TrialListener listener;
    private final Inside target;
    private final InsideWindows opened;
    private final List<Profile> profiles = new ArrayList<>();
    private final List<StageTimes> stages = new ArrayList<>();
    private final List<Insight.Thrown> exceptions = new ArrayList<>();
    private final List<Unseen> missing = new ArrayList<>();
    private final List<Seen> windows = new ArrayList<>();
    private final List<Seen> withoutProfiler = new ArrayList<>();

    /// A diagnostic window, to which the flight recording adds figures later.
    private record Seen(Span span, int concurrency, double qps, double cores) {}

    InsideMeasurements(
            Plan plan,
            Loading loading,
            TrialListener listener,
            Inside target,
            InsideWindows opened) {
        this.plan = plan;
        this.loading = loading;
        this.listener = listener;
        this.target = target;
        this.opened = opened;
        opened.profilerMissing()
                .ifPresent(m ->
                        missing.add(
                                new Unseen(PROFILER, m + "; flame graphs are from JFR and dumps")));
    }

    /// Marks the beginning of a diagnostic window.
    ///
    /// @return nanoseconds on the trial's clock
    long begin() throws InterruptedException {
        var _ = target.take();
        return loading.clock().nanos();
    }

    /// CPU since the window began; empty if it was not measured.
    Optional<CpuUse> use() throws InterruptedException {
        return target.take().flatMap(ServerWindow::cpu);
    }

    /// Measures at the present load, after its diagnostic window.
    ///
    /// @param window time of that diagnostic window
    /// @param dumps the window's thread dumps as a profile
    /// @param use CPU in that window; empty if it was not measured
    void at(int concurrency, Span window, Profile dumps, Optional<CpuUse> use)
            throws InterruptedException {
        Seen seen = seen(concurrency, window, dumps.qps(), use);
        windows.add(seen);
        if (plan.inside().profile()) {
            profile(seen, dumps);
        }
        exceptions(concurrency, dumps.qps());
        if (!plan.inside().stages().isEmpty() && !loading.stopped()) {
            listener.phase("timing stages with " + concurrency + " in flight");
            try {
                stages.add(
                        opened.stages(plan.inside().stages(), plan.evidence().window())
                                .withConcurrency(concurrency));
            } catch (UserError refused) {
                say(Unseen.STAGES, refused.why());
            }
        }
    }

    private Seen seen(int concurrency, Span span, double qps, Optional<CpuUse> use) {
        double cores = use.map(CpuUse::processCores).orElse(0.0);
        loading.trialSetup().session().begin();
        return new Seen(span, concurrency, qps, cores);
    }

    private void profile(Seen seen, Profile dumps) throws InterruptedException {
        int concurrency = seen.concurrency();
        if (opened.profilerMissing().isPresent() || loading.stopped()) {
            withoutProfiler.add(seen);
            profiles.add(dumps);
            return;
        }
        listener.phase("profiling with " + concurrency + " in flight");
        Duration window = plan.evidence().window().dividedBy(2);
        try {
            Optional<Profile> cpu = opened.profile(Profile.Kind.CPU, window);
            double cpuQps = loading.takeQps(seen.qps());
            // a window that was stopped had no load at its end: its figures per request would be
            // wrong
            if (loading.stopped()) {
                return;
            }
            cpu.map(p -> p.at(concurrency, cpuQps)).ifPresent(profiles::add);
            Optional<Profile> wall = opened.profile(Profile.Kind.WALL, window);
            double wallQps = loading.takeQps(seen.qps());
            if (!loading.stopped()) {
                wall.map(p -> p.at(concurrency, wallQps)).ifPresent(profiles::add);
            }
        } catch (UserError refused) {
            say(PROFILER, refused.why());
            withoutProfiler.add(seen);
            profiles.add(dumps);
        }
    }

    private void exceptions(int concurrency, double qps) throws InterruptedException {
        if (loading.stopped()) {
            return;
        }
        listener.phase("recording exceptions with " + concurrency + " in flight");
        try {
            ExceptionWatch.Seen seen =
                    opened.exceptions(
                            plan.evidence().window().dividedBy(2), () -> loading.takeQps(qps));
            if (loading.stopped()) {
                return;
            }
            seen.exceptions().forEach(t -> exceptions.add(t.at(concurrency, seen.qps())));
            seen.leftOut().ifPresent(why -> say(EXCEPTIONS, why));
        } catch (UserError refused) {
            say(EXCEPTIONS, refused.why());
        }
    }

    private void say(String source, String why) {
        var unseen = new Unseen(source, why);
        if (!missing.contains(unseen)) {
            missing.add(unseen);
        }
    }

    /// Returns everything that was measured.
    ///
    /// @param samples thread samples, which name the waits
    /// @param sources the source lines of the methods that the thread samples name
    /// @param logging reasons why the service's logging is expensive
    /// @param failed receives readings that failed; the results without them stay
    Insight finish(
            List<ThreadSamples> samples,
            List<SourceLine> sources,
            List<LoggingCost> logging,
            Consumer<UserError> failed)
            throws InterruptedException {
        for (Seen seen : withoutProfiler) {
            read(
                            Optional.<Profile>empty(),
                            () -> target.cpuSamples(seen.span(), seen.cores()),
                            failed)
                    .map(p -> p.at(seen.concurrency(), seen.qps()))
                    .ifPresentOrElse(
                            profiles::add,
                            () ->
                                    say(
                                            "CPU flame graph with "
                                                    + seen.concurrency()
                                                    + " in flight",
                                            "no samples"));
        }
        boolean all = plan.inside().profile();
        List<Insight.Wait> waits =
                all ? WaitNames.of(ofEach(target::waits, failed), samples) : List.of();
        List<Insight.Allocation> allocations = all ? allocations(failed) : List.of();
        // a verdict needs the pinned threads, even if no flame graphs are wanted
        List<Insight.Pinned> pinned = ofEach(target::pinned, failed);
        return new Insight(
                profiles,
                stages,
                List.of(),
                logging,
                waits,
                List.of(),
                allocations,
                exceptions,
                pinned,
                missing,
                sources,
                Frames.with(plan.inside().frames()).libraries(profiles),
                ofEach(target::calls, failed),
                read(List.of(), target::origins, failed));
    }

    /// Allocations at the highest load that was measured.
    private List<Insight.Allocation> allocations(Consumer<UserError> failed)
            throws InterruptedException {
        if (windows.isEmpty() || !target.recorded()) {
            return List.of();
        }
        Seen seen = windows.getLast();
        List<Insight.Allocation> found =
                read(
                        List.of(),
                        () -> target.allocations(seen.span(), seen.concurrency(), seen.qps()),
                        failed);
        if (found.isEmpty()) {
            say("allocation by class", "no samples (JDK 16 and later have them)");
        }
        return found;
    }

    private interface Reading<T> {
        List<T> read(Span span, int concurrency, double qps)
                throws IOException, InterruptedException;
    }

    /// One reading of the recording for each diagnostic window.
    private <T> List<T> ofEach(Reading<T> reading, Consumer<UserError> failed)
            throws InterruptedException {
        List<T> found = new ArrayList<>();
        for (Seen seen : windows) {
            found.addAll(
                    read(
                            List.<T>of(),
                            () -> reading.read(seen.span(), seen.concurrency(), seen.qps()),
                            failed));
        }
        return found;
    }

    /// One reading of the flight recording, if there is one. A failed reading is listed as missing.
    /// If it failed with another error than an {@link IOException}, the error also goes to
    /// `failed`.
    private <T> T read(T nothing, Explaining.Work<T> reading, Consumer<UserError> failed)
            throws InterruptedException {
        if (!target.recorded()) {
            return nothing;
        }
        return Explaining.orElse(
                nothing,
                "it read the flight recording",
                () -> {
                    try {
                        return reading.get();
                    } catch (IOException unread) {
                        say(RECORDING, String.valueOf(unread.getMessage()));
                        return nothing;
                    }
                },
                broken -> {
                    say(RECORDING, broken.what() + ": " + broken.why());
                    failed.accept(broken);
                });
    }
}
