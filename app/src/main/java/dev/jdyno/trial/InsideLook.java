package dev.jdyno.trial;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Profile;
import dev.jdyno.measure.StageTimes;
import dev.jdyno.measure.UserError;
import dev.jdyno.observe.CpuSamples;
import dev.jdyno.observe.ExceptionWatch;
import dev.jdyno.observe.FlightAllocations;
import dev.jdyno.observe.FlightPins;
import dev.jdyno.observe.FlightWaits;
import dev.jdyno.observe.Frames;
import dev.jdyno.observe.Observer;
import dev.jdyno.observe.Profiler;
import dev.jdyno.observe.ServerWindow;
import dev.jdyno.observe.StageTimer;
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

/// Flame graphs, exceptions and the times of stages, each in a window of its own at the loads of
/// the evidence windows. What cannot be had is said once, and the run goes on.
final class InsideLook implements AutoCloseable {
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

    /// An evidence window, for the flight recording to tell more of.
    private record Seen(Instant from, Instant to, int concurrency, double qps, double cores) {}

    private InsideLook(
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

    static InsideLook of(
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
        var look = new InsideLook(plan, loading, listener, time, target, profiler);
        profiler.flatMap(Profiler::missing)
                .ifPresent(m ->
                        look.missing.add(
                                "async-profiler: " + m + "; flame graphs are from JFR and dumps"));
        return look;
    }

    /// Marks where an evidence window begins.
    Instant begin() {
        loading.ground().observer().ifPresent(Observer::take);
        return time.instant();
    }

    /// Looks at the load that is held now, whose evidence window has just ended.
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
            cpu.map(p -> p.at(concurrency, cpuQps)).ifPresent(profiles::add);
            if (loading.stopped()) {
                return;
            }
            Optional<Profile> wall = active.wall(window);
            double wallQps = loading.ground().session().take().qps();
            wall.map(p -> p.at(concurrency, wallQps)).ifPresent(profiles::add);
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
        listener.phase("looking for exceptions with " + concurrency + " in flight");
        try {
            ExceptionWatch.Seen seen =
                    ExceptionWatch.during(
                            target,
                            loading.clock(),
                            loading::stopped,
                            plan.evidence().window().dividedBy(2),
                            () -> loading.ground().session().take().qps(),
                            Frames.with(plan.looking().frames()));
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
    Insight finish(Path recording) {
        for (Seen seen : withoutProfiler) {
            Optional<Profile> cpu = Optional.empty();
            if (Files.isRegularFile(recording)) {
                try {
                    cpu = CpuSamples.read(recording, seen.from(), seen.to(), seen.cores());
                } catch (IOException unread) {
                    say("jfr: " + unread.getMessage());
                }
            }
            cpu.map(p -> p.at(seen.concurrency(), seen.qps()))
                    .ifPresentOrElse(
                            profiles::add,
                            () ->
                                    say(
                                            "CPU flame graph with "
                                                    + seen.concurrency()
                                                    + " in flight: no samples"));
        }
        boolean all = plan.looking().profile();
        List<Insight.Wait> waits = all ? waits(recording) : List.of();
        List<Insight.Allocation> allocations = all ? allocations(recording) : List.of();
        List<Insight.Pinned> pinned = pinned(recording);
        return new Insight(profiles, stages, List.of(), missing)
                .withWaits(waits)
                .withAllocations(allocations)
                .withExceptions(exceptions)
                .withPinned(pinned);
    }

    /// At the highest load that was looked at.
    private List<Insight.Allocation> allocations(Path recording) {
        if (windows.isEmpty() || !Files.isRegularFile(recording)) {
            return List.of();
        }
        Seen seen = windows.getLast();
        try {
            List<Insight.Allocation> found =
                    FlightAllocations.read(
                            recording, seen.from(), seen.to(), seen.concurrency(), seen.qps());
            if (found.isEmpty()) {
                say("allocation by class: no samples (JDK 16 and later have them)");
            }
            return found;
        } catch (IOException unread) {
            say("jfr: " + unread.getMessage());
            return List.of();
        }
    }

    private List<Insight.Wait> waits(Path recording) {
        return ofEach(recording, FlightWaits::read);
    }

    /// They belong to a verdict, whether flame graphs are wanted or not.
    private List<Insight.Pinned> pinned(Path recording) {
        return ofEach(recording, FlightPins::read);
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

    /// What the recording has of each evidence window.
    private <T> List<T> ofEach(Path recording, Reading<T> reading) {
        List<T> found = new ArrayList<>();
        if (!Files.isRegularFile(recording)) {
            return found;
        }
        Frames frames = Frames.with(plan.looking().frames());
        for (Seen seen : windows) {
            try {
                found.addAll(
                        reading.read(
                                recording,
                                seen.from(),
                                seen.to(),
                                seen.concurrency(),
                                seen.qps(),
                                frames));
            } catch (IOException unread) {
                say("jfr: " + unread.getMessage());
            }
        }
        return found;
    }

    @Override
    public void close() {
        profiler.ifPresent(Profiler::close);
    }
}
