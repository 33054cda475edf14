package dev.jdyno.watch;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.watch.WatchEvent;
import dev.jdyno.measure.watch.WatchedMinute;
import dev.jdyno.observe.probe.Wait;
import dev.jdyno.plan.MetricsPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;

/// Watches the services of one `jdyno watch`, each in a thread of its own.
public final class Watching {
    private static final Duration CHECK = Duration.ofMillis(250);

    /// @param metrics place of the service's own metrics
    /// @param headroomBelow wanted headroom; empty for no event of headroom
    public record Service(Wanted wanted, MetricsPlan metrics, Optional<Double> headroomBelow) {}

    /// @param folder folder of the day files
    /// @param keep number of day files of a service that are kept
    public record Settings(List<Service> services, Path folder, int keep) {
        public Settings {
            services = List.copyOf(services);
        }
    }

    private final Settings settings;
    private final WatchListener listener;
    private final InstantSource wall;
    private final NanoClock clock;
    private final BooleanSupplier stop;

    /// @param stop true ends the watch
    public Watching(
            Settings settings,
            WatchListener listener,
            InstantSource wall,
            NanoClock clock,
            BooleanSupplier stop) {
        this.settings = settings;
        this.listener = new OneAtATime(listener);
        this.wall = wall;
        this.clock = clock;
        this.stop = stop;
    }

    /// Watches until the user wants to stop, or until all JVMs that were given by pid have ended
    /// and there are no others.
    ///
    /// @return false if it ended because there is nothing left to watch
    /// @throws dev.jdyno.measure.text.UserError if a day file cannot be written at the beginning
    public boolean run() throws InterruptedException {
        List<DayFiles> files = new ArrayList<>();
        List<FutureTask<Boolean>> tasks = new ArrayList<>();
        try {
            for (Service service : settings.services()) {
                files.add(
                        DayFiles.begin(
                                settings.folder(),
                                service.wanted().service(),
                                settings.keep(),
                                wall.instant(),
                                listener::note));
            }
            for (int i = 0; i < files.size(); i++) {
                tasks.add(start(settings.services().get(i), files.get(i)));
            }
            while (!isOver(tasks)) {
                Wait.during(clock, CHECK, () -> isOver(tasks));
            }
            for (FutureTask<Boolean> task : tasks) {
                if (task.isDone()) {
                    boolean _ = task.get();
                }
            }
            return stop.getAsBoolean();
        } catch (ExecutionException fault) {
            throw new IllegalStateException("a watch failed", fault.getCause());
        } finally {
            tasks.forEach(t -> t.cancel(true));
            files.forEach(DayFiles::close);
        }
    }

    /// True if all services were watched to their end, or the watch of one has failed: a service
    /// that is no longer watched must not go unnoticed.
    private static boolean isOver(List<FutureTask<Boolean>> tasks) {
        return tasks.stream().allMatch(FutureTask::isDone)
                || tasks.stream().anyMatch(t -> t.state() == Future.State.FAILED);
    }

    private FutureTask<Boolean> start(Service service, DayFiles files) {
        Wanted wanted = service.wanted();
        var watch =
                new ServiceWatch(
                        new ServiceWatch.Settings(
                                wanted, service.headroomBelow(), Optional.of(files)),
                        HostJvms.system(service.metrics(), clock, stop),
                        listener,
                        wall,
                        clock,
                        stop);
        var task =
                new FutureTask<>(() -> {
                    watch.run();
                    return true;
                });
        Thread.ofPlatform().daemon().name("jdyno-watch-" + wanted.service()).start(task);
        return task;
    }

    /// Passes calls of several threads on, one at a time.
    private record OneAtATime(WatchListener to) implements WatchListener {
        @Override
        public List<WatchEvent> minute(WatchedMinute minute) {
            synchronized (to) {
                return to.minute(minute);
            }
        }

        @Override
        public void event(WatchEvent event) {
            synchronized (to) {
                to.event(event);
            }
        }

        @Override
        public void note(String says) {
            synchronized (to) {
                to.note(says);
            }
        }
    }
}
