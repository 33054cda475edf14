package dev.jdyno.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.sun.management.ThreadMXBean;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.request.LoadSpecBuilder;
import dev.jdyno.measure.Eventually;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.load.ReplyRules;
import dev.jdyno.measure.text.UserError;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

/// Counts the bytes that the warm event loop allocates per request, in a separate JVM. In a JVM
/// that ran other tests, the loop would be compiled for all kinds of connections and pacing.
class HotPathTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /// Number of requests before counting. By then the loop's code is compiled without allocations.
    private static final int WARM = 30_000;

    private static final int COUNTED = 10_000;

    /// Maximum number of counts. A new case makes the JVM compile code again, so the count is
    /// repeated.
    private static final int MAX_COUNTS = 12;

    /// The loop's code allocates nothing. The rest is for code that is not compiled yet.
    private static final double MAX_BYTES_PER_REQUEST = 8;

    /// Flags of the launcher by which kernel calls create no objects at any inlining depth.
    private static final List<String> FLAGS =
            List.of(
                    "-XX:CompileCommand=quiet",
                    "-XX:CompileCommand=dontinline,dev.jdyno.load.wire.Kernel::*");

    /// No window is taken while counting, because each window creates new histograms.
    private static double bytesPerRequest(LoadSpecBuilder spec, AtomicInteger requests) {
        try (var session = LoadSession.start(spec.loops(1).build(), NanoClock.SYSTEM)) {
            session.apply(new Level.Closed(4, Duration.ZERO));
            long loop =
                    Thread.getAllStackTraces().keySet().stream()
                            .filter(t -> t.getName().equals("load-0"))
                            .mapToLong(Thread::threadId)
                            .max()
                            .orElseThrow();
            await(requests, WARM);
            double bytes = Double.POSITIVE_INFINITY;
            for (int i = 0; i < MAX_COUNTS && bytes >= MAX_BYTES_PER_REQUEST; i++) {
                long before = THREADS.getThreadAllocatedBytes(loop);
                int first = requests.get();
                await(requests, first + COUNTED);
                long allocated = THREADS.getThreadAllocatedBytes(loop) - before;
                bytes = (double) allocated / (requests.get() - first);
            }
            return bytes;
        }
    }

    private static void await(AtomicInteger requests, int wanted) {
        Eventually.until(
                () -> requests.get() + " of " + wanted + " requests",
                () -> requests.get() >= wanted);
    }

    /// Prints the allocated bytes of one request.
    public static void main(String[] args) throws IOException {
        IO.println(
                switch (args[0]) {
                    case "http1" -> http1();
                    case "http2" -> http2();
                    case "events" -> events();
                    default -> throw new IllegalArgumentException(args[0]);
                });
    }

    private static double http1() throws IOException {
        try (var server = ScriptedServer.saying(ScriptedServer.OK)) {
            return bytesPerRequest(LoadSpec.to(server.url()), server.requests);
        }
    }

    /// An event stream in two parts, for requests with trace ids.
    private static double events() throws IOException {
        byte[] head =
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 18\r\n\r\n"
                        .getBytes(UTF_8);
        byte[] body = "data: a\n\ndata: b\n\n".getBytes(UTF_8);
        var rules = new ReplyRules(true, Optional.empty(), true, Optional.empty());
        try (var server =
                new ScriptedServer((_, out) -> {
                    out.write(head);
                    out.write(body);
                    return true;
                })) {
            return bytesPerRequest(LoadSpec.to(server.url()).replies(rules), server.requests);
        }
    }

    private static double http2() throws IOException {
        var answered = new AtomicInteger();
        try (var server =
                new ScriptedHttp2Server(
                        new byte[0],
                        (_, number, peer) -> {
                            if (number > 0) {
                                answered.incrementAndGet();
                                peer.ok(2 * number - 1);
                            }
                        })) {
            return bytesPerRequest(LoadSpec.to(server.url()).http2(1), answered);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"http1", "http2", "events"})
    void aRequestAllocatesNothing(String protocol) throws Exception {
        var words = new ArrayList<String>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Xmx64m"));
        // the loop waits for its compiled code, because compiler threads may get no core for
        // seconds
        words.add("-XX:-BackgroundCompilation");
        words.addAll(FLAGS);
        words.addAll(List.of("-cp", classPath(), HotPathTest.class.getName(), protocol));
        Process child = new ProcessBuilder(words).redirectErrorStream(true).start();
        String said = new String(child.getInputStream().readAllBytes(), UTF_8).strip();

        assertThat(child.waitFor()).as(said).isZero();
        assertThat(Double.parseDouble(said)).isLessThan(MAX_BYTES_PER_REQUEST);
    }

    @Test
    void theLauncherGivesTheSameFlags() throws IOException {
        assertThat(Files.readString(Path.of("..", "jdyno"))).contains(FLAGS);
    }

    /// Class path of these classes, independent of the test runner.
    private static String classPath() {
        return Stream.of(
                        HotPathTest.class,
                        LoadSession.class,
                        UserError.class,
                        Eventually.class,
                        Histogram.class,
                        JsonMapper.class,
                        JsonGenerator.class,
                        JsonFormat.class,
                        Assertions.class,
                        Test.class)
                .map(c -> c.getProtectionDomain().getCodeSource().getLocation().getPath())
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
    }
}
