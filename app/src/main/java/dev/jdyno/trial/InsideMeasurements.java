package dev.jdyno.trial;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.text.Explaining;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.thread.StageTimes;
import dev.jdyno.observe.Observer;
import dev.jdyno.observe.ServerWindow;
import dev.jdyno.observe.jfr.CpuSamples;
import dev.jdyno.observe.jfr.ExceptionWatch;
import dev.jdyno.observe.jfr.FlightAllocations;
import dev.jdyno.observe.jfr.FlightPins;
import dev.jdyno.observe.jfr.FlightWaits;
import dev.jdyno.observe.profiler.Profiler;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.stages.StageTimer;
import dev.jdyno.plan.Plan;
import dev.jdyno.target.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Flame graphs, exceptions and the times of stages, each in a window of its own at the loads of
/// the diagnostic windows. What cannot be had is said once, and the run goes on.
final class InsideMeasurements implements AutoCloseable {
    private final Plan plan;
    private final Loading loading;
    private final TrialListener listener;
    private final InstantSource time;
    private final Target target;
    private final Optional<Profiler> profiler;
    private final List<Profile> profiles = new ArrayList<>();
    private final List<StageTimes> stages = new ArrayList<>();
    private final List<Insight.Thrown> exceptions = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();
    private final List<Seen> windows = new ArrayList<>();
    private final List<Seen> withoutProfiler = new ArrayList<>();

    /// A diagnostic window, for the flight recording to tell more of.
    private record Seen(Instant from, Instant to, int concurrency, double qps, double cores) {}

    private InsideMeasurements(
            Plan plan,
            Loading loading,
            TrialListener listener,
            InstantSource time,
            Target target,
            Optional<Profiler> profiler) {
        this.plan = plan;
        this.loading = loading;
        this.listener = listener;
        this.time = time;
        this.target = target;
        this.profiler = profiler;
    }

    static InsideMeasurements of(
            Plan plan, Loading loading, TrialListener listener, Target target, InstantSource time)
            throws InterruptedException {
        Optional<Profiler> profiler =
                plan.looking().profile()
                        ? Optional.of(
                                Profiler.of(
                                        target,
                                        loading.clock(),
                                        loading::stopped,
                                        Frames.with(plan.looking().frames())))
                        : Optional.empty();
        var look = new InsideMeasurements(plan, loading, listener, time, target, profiler);
        profiler.flatMap(Profiler::missing)
                .ifPresent(m ->
                        look.missing.add(
                                "async-profiler: " + m + "; flame graphs are from JFR and dumps"));
        return look;
    }

    /// Marks where a diagnostic window begins.
    Instant begin() {
        loading.ground().observer().ifPresent(Observer::take);
        return time.instant();
    }

    /// Looks at the load that is held now, whose diagnostic window has just ended.
    ///
    /// @param dumps the window's thread dumps as a profile
    void at(int concurrency, Instant from, Profile dumps) throws InterruptedException {
        Seen seen = seen(concurrency, from, dumps.qps());
        windows.add(seen);
        if (plan.looking().profile()) {
            profile(seen, dumps);
        }
        exceptions(concurrency);
        if (!plan.looking().stages().isEmpty() && !loading.stopped()) {
            listener.phase("timing stages with " + concurrency + " in flight");
            try {
                stages.add(
                        StageTimer.time(
                                        target,
                                        loading.clock(),
                                        loading::stopped,
                                        plan.looking().stages(),
                                        plan.evidence().window())
                                .withConcurrency(concurrency));
            } catch (UserError refused) {
                say("stages: " + refused.why());
            }
        }
    }

    private Seen seen(int concurrency, Instant from, double qps) {
        Instant to = time.instant();
        double cores =
                loading.ground()
                        .observer()
                        .map(Observer::take)
                        .flatMap(ServerWindow::cpu)
                        .map(CpuUse::processCores)
                        .orElse(0.0);
        loading.ground().session().take();
        return new Seen(from, to, concurrency, qps, cores);
    }

    private void profile(Seen seen, Profile dumps) throws InterruptedException {
        int concurrency = seen.concurrency();
        Profiler active = profiler.orElseThrow();
        if (active.missing().isPresent() || loading.stopped()) {
            withoutProfiler.add(seen);
            profiles.add(dumps);
            return;
        }
        listener.phase("profiling with " + concurrency + " in flight");
        Duration window = plan.evidence().window().dividedBy(2);
        try {
            Optional<Profile> cpu = active.cpu(window);
            double cpuQps = loading.ground().session().take().qps();
            // in a window that was stopped there was no load at its end: nothing is per request
            if (loading.stopped()) {
                return;
            }
            cpu.map(p -> p.at(concurrency, cpuQps)).ifPresent(profiles::add);
            Optional<Profile> wall = active.wall(window);
            double wallQps = loading.ground().session().take().qps();
            if (!loading.stopped()) {
                wall.map(p -> p.at(concurrency, wallQps)).ifPresent(profiles::add);
            }
        } catch (UserError refused) {
            say("async-profiler: " + refused.why());
            withoutProfiler.add(seen);
            profiles.add(dumps);
        }
    }

    private void exceptions(int concurrency) throws InterruptedException {
        if (loading.stopped()) {
            return;
        }
        listener.phase("recording exceptions with " + concurrency + " in flight");
        try {
            ExceptionWatch.Seen seen =
                    ExceptionWatch.during(
                            target,
                            loading.clock(),
                            loading::stopped,
                            plan.evidence().window().dividedBy(2),
                            () -> loading.ground().session().take().qps(),
                            Frames.with(plan.looking().frames()));
            if (loading.stopped()) {
                return;
            }
            seen.exceptions().forEach(t -> exceptions.add(t.at(concurrency, seen.qps())));
            seen.leftOut().ifPresent(why -> say("exceptions: " + why));
        } catch (UserError refused) {
            say("exceptions: " + refused.why());
        }
    }

    private void say(String what) {
        if (!missing.contains(what)) {
            missing.add(what);
        }
    }

    /// All that was seen.
    ///
    /// @param recording the flight recording, which has the CPU's samples where nothing else has;
    ///   it need not exist
    /// @param failed hears of readings that failed; what was seen without them stays
    Insight finish(Path recording, Consumer<UserError> failed) throws InterruptedException {
        for (Seen seen : withoutProfiler) {
            cpu(recording, seen, failed)
                    .map(p -> p.at(seen.concurrency(), seen.qps()))
                    .ifPresentOrElse(
                            profiles::add,
                            () ->
                                    say(
                                            "CPU flame graph with "
                                                    + seen.concurrency()
                                                    + " in flight: no samples"));
        }
        boolean all = plan.looking().profile();
        List<Insight.Wait> waits = all ? ofEach(recording, FlightWaits::read, failed) : List.of();
        List<Insight.Allocation> allocations = all ? allocations(recording, failed) : List.of();
        // they belong to a verdict, whether flame graphs are wanted or not
        List<Insight.Pinned> pinned = ofEach(recording, FlightPins::read, failed);
        return new Insight(profiles, stages, List.of(), missing)
                .withWaits(waits)
                .withAllocations(allocations)
                .withExceptions(exceptions)
                .withPinned(pinned);
    }

    private Optional<Profile> cpu(Path recording, Seen seen, Consumer<UserError> failed)
            throws InterruptedException {
        return read(
                recording,
                Optional.empty(),
                () -> CpuSamples.read(recording, seen.from(), seen.to(), seen.cores()),
                failed);
    }

    /// At the highest load that was looked at.
    private List<Insight.Allocation> allocations(Path recording, Consumer<UserError> failed)
            throws InterruptedException {
        if (windows.isEmpty() || !Files.isRegularFile(recording)) {
            return List.of();
        }
        Seen seen = windows.getLast();
        List<Insight.Allocation> found =
                read(
                        recording,
                        List.of(),
                        () ->
                                FlightAllocations.read(
                                        recording,
                                        seen.from(),
                                        seen.to(),
                                        seen.concurrency(),
                                        seen.qps()),
                        failed);
        if (found.isEmpty()) {
            say("allocation by class: no samples (JDK 16 and later have them)");
        }
        return found;
    }

    private interface Reading<T> {
        List<T> read(
                Path recording,
                Instant from,
                Instant to,
                int concurrency,
                double qps,
                Frames frames)
                throws IOException;
    }

    /// What the recording has of each diagnostic window.
    private <T> List<T> ofEach(Path recording, Reading<T> reading, Consumer<UserError> failed)
            throws InterruptedException {
        List<T> found = new ArrayList<>();
        for (Seen seen : windows) {
            found.addAll(
                    read(
                            recording,
                            List.<T>of(),
                            () ->
                                    reading.read(
                                            recording,
                                            seen.from(),
                                            seen.to(),
                                            seen.concurrency(),
                                            seen.qps(),
                                            Frames.with(plan.looking().frames())),
                            failed));
        }
        return found;
    }

    /// One reading of the recording, when there is one. A recording that is broken is said here, a
    /// reading that fails otherwise is heard of by `failed`, too.
    private <T> T read(
            Path recording, T nothing, Explaining.Work<T> reading, Consumer<UserError> failed)
            throws InterruptedException {
        if (!Files.isRegularFile(recording)) {
            return nothing;
        }
        return Explaining.orElse(
                nothing,
                "it read the flight recording",
                () -> {
                    try {
                        return reading.get();
                    } catch (IOException unread) {
                        say("jfr: " + unread.getMessage());
                        return nothing;
                    }
                },
                broken -> {
                    say("jfr: " + broken.what() + ": " + broken.why());
                    failed.accept(broken);
                });
    }

    @Override
    public void close() {
        profiler.ifPresent(Profiler::close);
    }
}
