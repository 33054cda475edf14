package dev.jdyno.watch;

import dev.jdyno.capacity.headroom.NaturalLoad;
import dev.jdyno.diagnose.Recommendations;
import dev.jdyno.judge.Judge;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Headroom;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.measure.watch.WatchEvent;
import dev.jdyno.measure.watch.WatchedMinute;
import dev.jdyno.observe.probe.Wait;
import dev.jdyno.trial.watch.LiveDiagnosis.Seen;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// Watches one service: finds its JVM, observes it minute by minute, judges each minute, and finds
/// its next JVM after a restart.
final class ServiceWatch {
    /// Time between two searches for the JVM of a service: the first after the end of a JVM, and
    /// those after a minute without one. A search reads a few files of each process of the host.
    private static final Duration SEARCH = Duration.ofSeconds(2);

    private static final Duration SEARCH_LATER = Duration.ofSeconds(10);
    private static final double SOON_S = 60;

    /// Time until a JVM that could not be observed is tried again: it may be starting.
    private static final Duration RETRY = Duration.ofSeconds(10);

    /// @param headroomBelow wanted headroom; empty for no event of headroom
    /// @param files the day files of the service; empty if none are written
    record Settings(Wanted wanted, Optional<Double> headroomBelow, Optional<DayFiles> files) {}

    private final Settings settings;
    private final HostJvms jvms;
    private final WatchListener listener;
    private final NanoClock clock;
    private final BooleanSupplier stop;
    private final MinuteClock minutes;
    private final EventRules rules;
    private final Presence presence;
    private final LoadRing loads = new LoadRing();
    private final BusyRoutes routes = new BusyRoutes();
    private final Judge judge = Judge.rankingBy(Recommendations.Aim.QPS);
    private final Notes notes;
    private long absentSince;

    ServiceWatch(
            Settings settings,
            HostJvms jvms,
            WatchListener listener,
            InstantSource wall,
            NanoClock clock,
            BooleanSupplier stop) {
        this.settings = settings;
        this.jvms = jvms;
        this.listener = listener;
        this.clock = clock;
        this.stop = stop;
        this.minutes = new MinuteClock(wall, clock);
        this.rules = new EventRules(settings.headroomBelow());
        this.notes = new Notes(says -> listener.note(settings.wanted().service() + ": " + says));
        this.presence =
                new Presence(
                        settings.wanted().service(),
                        settings.wanted().pid().isPresent() ? 0 : Presence.GONE_AFTER_S);
    }

    /// Watches until the user wants to stop, or until the only wanted JVM has ended. A failure ends
    /// neither this watch nor those of other services: it is reported, and the JVM is searched for
    /// again.
    void run() throws InterruptedException {
        absentSince = clock.nanos();
        boolean going = true;
        while (going && !stop.getAsBoolean()) {
            try {
                going = findAndWatch();
            } catch (UserError refused) {
                notes.add(refused.what() + ": " + refused.why());
                Wait.during(clock, RETRY, stop);
            } catch (RuntimeException fault) {
                // a defect of jdyno must not end a watch of days
                notes.add("jdyno itself failed: " + fault);
                Wait.during(clock, RETRY, stop);
            }
        }
        notes.end();
    }

    /// Watches the JVM of the service until it ends; without one, waits until the next search.
    ///
    /// @return false if the only wanted JVM has ended
    private boolean findAndWatch() throws InterruptedException {
        Optional<Long> jvm = settings.wanted().find(jvms.running());
        if (jvm.isPresent()) {
            try {
                watch(jvm.get());
            } finally {
                absentSince = clock.nanos();
            }
            return true;
        }
        presence.absent(minutes.now(), nowS()).ifPresent(this::report);
        if (settings.wanted().pid().isPresent()) {
            return false;
        }
        if (presence.isAwaited()) {
            notes.add("no JVM of this name runs yet; waiting for one (jdyno ps lists the names)");
        }
        boolean soon = clock.secondsSince(absentSince) < SOON_S;
        Wait.during(clock, soon ? SEARCH : SEARCH_LATER, stop);
        return true;
    }

    /// Watches a JVM until it ends. A failure ends it early.
    private void watch(long pid) throws InterruptedException {
        try (HostJvms.Observed jvm = jvms.attach(pid)) {
            presence.appeared(minutes.now(), nowS(), pid)
                    .ifPresent(event -> {
                        loads.clear();
                        rules.forget();
                        report(event);
                    });
            try {
                follow(jvm, pid);
            } finally {
                // also after a failure: its end may be the cause
                if (!jvm.isAlive()) {
                    presence.ended(nowS());
                }
            }
        }
    }

    private void follow(HostJvms.Observed jvm, long pid) throws InterruptedException {
        Optional<WatchedMinute> last = Optional.empty();
        while (!stop.getAsBoolean() && jvm.isAlive()) {
            MinuteClock.Begun begun = minutes.begin();
            Seen seen = jvm.minute(begun.seconds(), DumpBudget.next(last));
            if (minutes.seconds(begun) < MinuteClock.MIN_S) {
                // the JVM or the watch has ended: too short to judge
                return;
            }
            WatchedMinute minute = judged(begun, seen, pid);
            last = Optional.of(minute);
            noteMissing(seen);
            settings.files().ifPresent(f -> f.add(minute));
            listener.minute(minute).forEach(this::report);
            rules.after(minute).forEach(this::report);
        }
    }

    private WatchedMinute judged(MinuteClock.Begun begun, Seen seen, long pid) {
        Verdict verdict = judge.underOwnLoad(seen.recording(), seen.inFlight()).verdict();
        // windows in which the service was stopped do not show its demand
        if (seen.recording().target().standstills().isEmpty()) {
            seen.throughput().ifPresent(x -> loads.add(x.source(), seen.windows()));
        }
        Headroom headroom = NaturalLoad.headroom(loads.windows(), seen.rtMs());
        return MinuteFigures.of(
                new MinuteFigures.When(
                        begun.at(), minutes.jumpS(begun), settings.wanted().service(), pid),
                seen,
                verdict,
                headroom,
                routes.of(
                        seen.recording().insight().service().stream()
                                .flatMap(f -> f.endpoints().stream())
                                .toList()));
    }

    private void report(WatchEvent event) {
        settings.files().ifPresent(f -> f.add(event));
        listener.event(event);
    }

    private double nowS() {
        return clock.nanos() / 1e9;
    }

    /// Reports why requests or pools are unknown, without advice about options of other verbs.
    private void noteMissing(Seen seen) {
        seen.unmeasured().forEach(u -> notes.add("not measured: " + u.withoutFix()));
    }
}
