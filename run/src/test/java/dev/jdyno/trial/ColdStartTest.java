package dev.jdyno.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Round;
import dev.jdyno.plan.Plan;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Starts of the JDK's file server.
@Tag("full") // whole starts, each under load for seconds
class ColdStartTest {
    /// Runs an action about once in each second of the load.
    private record EachSecond(Runnable then) implements TrialListener {
        @Override
        public void phase(String says) {}

        @Override
        public void progress(double seconds, Optional<Double> of, Optional<Double> qps) {
            then.run();
        }

        @Override
        public void round(Round round) {}

        @Override
        public void note(String says) {}
    }

    @TempDir private Path folder;

    private Plan plan() throws IOException {
        int port;
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        return Plan.of(
                "files",
                URI.create("http://127.0.0.1:" + port + "/"),
                new Plan.TargetPlan.Launch(
                        "exec '"
                                + Path.of(System.getProperty("java.home"), "bin", "java")
                                + "' -Xmx64m -m jdk.httpserver -b 127.0.0.1 -p "
                                + port
                                + " -o none -d '"
                                + Files.createDirectory(folder.resolve("www")).toRealPath()
                                + "'"));
    }

    private static ColdStart.Traffic traffic(double seconds) {
        return new ColdStart.Traffic(1, seconds, 0, 0, 1, Optional.of(500.0));
    }

    @Test
    void aStartIsMeasuredWithoutARecordingInItsJvm() throws IOException, InterruptedException {
        var start = new ColdStart(new EachSecond(() -> {}), NanoClock.SYSTEM, () -> false);

        ColdStart.Curve curve = start.measure(plan(), traffic(2), false, folder).orElseThrow();

        assertThat(curve.firstAnswerS()).isPositive();
        assertThat(curve.seconds()).hasSizeGreaterThanOrEqualTo(1).allMatch(s -> s.qps() > 0);
        assertThat(curve.facts()).hasValueSatisfying(f -> assertThat(f.jdkVersion()).isPresent());
        assertThat(files()).contains("target.log").doesNotContain("recording.jfr", "gc.log");
    }

    @Test
    void stoppedStartGivesNoResultAndLeavesNothing() throws IOException, InterruptedException {
        var stopped = new AtomicBoolean();
        var start =
                new ColdStart(
                        new EachSecond(() -> stopped.set(true)), NanoClock.SYSTEM, stopped::get);

        assertThat(start.measure(plan(), traffic(600), false, folder)).isEmpty();
        assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive))
                .noneMatch(p -> p.info().commandLine().orElse("").contains(folder.toString()));
    }

    private List<String> files() throws IOException {
        List<String> names = new ArrayList<>();
        try (var all = Files.list(folder)) {
            all.forEach(p -> names.add(p.getFileName().toString()));
        }
        return names;
    }
}
