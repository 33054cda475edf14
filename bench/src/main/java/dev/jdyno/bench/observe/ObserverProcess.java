package dev.jdyno.bench.observe;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.observe.Observer;
import dev.jdyno.observe.Observer.Recorder;
import dev.jdyno.observe.ServerWindow;
import dev.jdyno.target.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Observes a process as a run does, once a second, until its standard input has a byte or ends.
/// `bench/observe/overhead.py` measures the cost.
///
/// Arguments: the process id, and `probes` (the default probes), `jfr` (with the flight recording),
/// `gclog` (with the GC log) or `all` (with both). Prints `watching`, and at the end the number of
/// windows and its own CPU use.
public final class ObserverProcess {
    private ObserverProcess() {}

    private static Set<Recorder> recorders(String condition) {
        return switch (condition) {
            case "probes" -> Set.of();
            case "jfr" -> Set.of(Recorder.FLIGHT_RECORDING);
            case "gclog" -> Set.of(Recorder.GC_LOG);
            case "all" -> Set.of(Recorder.FLIGHT_RECORDING, Recorder.GC_LOG);
            default -> throw new IllegalArgumentException("no such condition: " + condition);
        };
    }

    /// Returns even if the starting process was killed.
    private static void awaitEnd() {
        try {
            System.in.read();
        } catch (IOException closed) {
            // the input has ended
        }
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("jdyno-watch");
        List<ServerWindow> windows = new ArrayList<>();
        try (Target target = Target.attach(Long.parseLong(args[0]));
                Observer observer =
                        Observer.open(target, NanoClock.SYSTEM, folder, recorders(args[1]))) {
            System.out.println("watching " + observer.facts().means());
            Thread reported = Thread.ofPlatform().daemon().start(ObserverProcess::awaitEnd);
            while (!reported.join(Duration.ofSeconds(1))) {
                windows.add(observer.take());
            }
        }
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                System.out.println(file.getFileName() + " " + Files.size(file) + " B");
                Files.delete(file);
            }
        }
        Files.delete(folder);
        System.out.println(
                windows.size()
                        + " windows, own cores "
                        + ServerWindow.over(windows).cpu().map(c -> c.clientCores()).orElse(0.0));
    }
}
