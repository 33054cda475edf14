package dev.jdyno.observe.stacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.thread.Profile;
import dev.jdyno.observe.gc.StallReader;
import dev.jdyno.observe.heap.LeakTrail;
import dev.jdyno.observe.heap.LiveObjects;
import dev.jdyno.observe.jfr.FlightExceptions;
import dev.jdyno.observe.jfr.FlightFigures;
import dev.jdyno.observe.jfr.RecordedEvents;
import dev.jdyno.observe.profiler.CollapsedStacks;
import dev.jdyno.observe.stacks.ThreadDump.JavaThread;
import dev.jdyno.observe.threads.LockGraph;
import dev.jdyno.observe.threads.VirtualSample;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import jdk.jfr.Recording;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Answers and files of a target that are made to break their reader.
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileAnswersTest {
    private static final StackClassifier CLASSIFIER = new StackClassifier(Frames.builtIn());

    @TempDir Path dir;
    private byte[] recording = new byte[0];

    @BeforeAll
    void record(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("good.jfr");
        try (var of = new Recording()) {
            of.enable("jdk.JavaExceptionThrow");
            of.enable("jdk.ExceptionStatistics");
            of.start();
            of.stop();
            of.dump(file);
        }
        recording = Files.readAllBytes(file);
    }

    private long events(byte[] content) throws IOException {
        Path file = Files.write(dir.resolve("a.jfr"), content);
        long[] n = {0};
        RecordedEvents.each(file, _ -> n[0]++);
        return n[0];
    }

    private void assertRefused(ByteBuffer content) {
        byte[] bytes = new byte[content.capacity()];
        content.get(0, bytes);
        assertThatThrownBy(() -> events(bytes)).isInstanceOf(IOException.class);
    }

    private ByteBuffer copy() {
        return ByteBuffer.wrap(recording.clone());
    }

    @Test
    void aGoodRecordingIsRead() throws IOException {
        assertThat(events(recording)).isPositive();
        ByteBuffer two = ByteBuffer.allocate(2 * recording.length);
        two.put(recording).put(recording);
        assertThat(events(two.array())).isEqualTo(2 * events(recording));
    }

    /// The JDK's parser waits for ever for the end of such a chunk.
    @Test
    void aChunkThatIsBeingWrittenIsNotWaitedFor() {
        for (int state : new int[] {1, 255}) {
            assertRefused(copy().put(64, (byte) state));
        }
    }

    @Test
    void sizesThatLeadOutOfTheChunkAreRefused() {
        for (long size : new long[] {0, -1, 67, recording.length + 1L, Long.MAX_VALUE}) {
            assertRefused(copy().putLong(8, size));
        }
        assertRefused(copy().putLong(16, 5));
        assertRefused(copy().putLong(16, Long.MIN_VALUE));
    }

    @Test
    void anEventOfNegativeSizeIsRefused() {
        ByteBuffer broken = copy();
        for (int i = 0; i < 9; i++) {
            broken.put(68 + i, (byte) 0xff);
        }
        assertRefused(broken);
        assertRefused(copy().put(68, (byte) 0));
    }

    /// The JDK's parser follows each reference to the previous pool. If a reference points to a
    /// later one, it never ends.
    @Test
    void refusesConstantsWithUnknownReferences() throws IOException {
        ByteBuffer broken = copy();
        int delta = (int) broken.getLong(16);
        for (int numbers = 0; numbers < 4; numbers++) {
            while (broken.get(delta++) < 0) {
                // the last byte of a number is below 128
            }
        }
        assertThat(events(recording)).isPositive();
        assertRefused(broken.put(delta, (byte) (broken.get(delta) ^ 2)));
        assertRefused(copy().putLong(16, broken.getLong(24)));
    }

    @Test
    void readersReportUnreadableAnswers() throws IOException {
        for (byte[] bytes :
                List.of(new byte[0], new byte[100], java.util.Arrays.copyOf(recording, 1000))) {
            Path file = Files.write(dir.resolve("b.jfr"), bytes);
            assertThatThrownBy(() -> FlightFigures.read(file, Frames.builtIn()))
                    .isInstanceOf(IOException.class);
            assertThatThrownBy(() -> LeakTrail.read(file)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> FlightExceptions.perSecond(file))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void acceptsThreadNamesThatLookLikeNumbers() {
        ThreadDump dump =
                ThreadDump.parse(
                        """
                        "a nid=0xffffffffffffffffffffffffffffff " #1 nid=99999999999999999999 cpu=1.2.3ms runnable
                           java.lang.Thread.State: RUNNABLE
                        "b" #26 [99999999999999999999] daemon tid=0x1  [0x1]
                           Carrying virtual thread #26
                        "c" #2 nid=0x1f cpu=1.5ms runnable
                           java.lang.Thread.State: RUNNABLE
                        """);

        assertThat(dump.threads()).extracting(JavaThread::tid).containsExactly(0L, 0L, 31L);
        assertThat(dump.threads().getLast().cpuMs()).contains(1.5);
    }

    @Test
    void timeOfReadingALongLineGrowsLinearly() {
        String blanks = " ".repeat(300_000);
        ThreadDump dump =
                ThreadDump.parse(
                        "\"a\" #1 nid=0x1f runnable\n   java.lang.Thread.State: RUNNABLE\n\t- "
                                + blanks
                                + "\n\tat "
                                + "a.Lock".repeat(100_000)
                                + "(A.java:1)\n\t- locked <0x1> (a java.lang.Object)\n");

        assertThat(dump.threads().getFirst().locked()).containsExactly("0x1");
        assertThat(CLASSIFIER.classify(dump.threads().getFirst())).isNotNull();
        assertThat(PoolName.of("1".repeat(300_000) + "x")).hasSizeLessThan(300);
    }

    /// A hundred thousand threads, each of which waits for the next one. The last two wait for each
    /// other.
    @Test
    void aChainOfThreadsEndsInItsCircle() {
        int n = 100_000;
        List<JavaThread> threads =
                IntStream.range(0, n)
                        .mapToObj(i ->
                                new JavaThread(
                                        "t" + i,
                                        i,
                                        ThreadDump.State.BLOCKED,
                                        Optional.empty(),
                                        List.of(),
                                        Optional.of(
                                                new ThreadDump.LockRef(
                                                        "0x" + (i + 1 < n ? i + 1 : n - 2), "L")),
                                        List.of("0x" + i)))
                        .toList();
        var graph = new LockGraph(threads);

        assertThat(graph.deadlocks())
                .singleElement()
                .satisfies(d -> assertThat(d.circle()).hasSize(2));
        assertThat(graph.behindDeadlocks()).isEqualTo(n);
        assertThat(graph.queues()).hasSize(n - 1);
    }

    @Test
    void aThreadLargerThanAnyIsNoDump() {
        String frames =
                IntStream.range(0, 30_000)
                        .mapToObj(i -> "\"a.B.c" + i + "\"")
                        .collect(Collectors.joining(","));
        for (String thread :
                List.of(
                        "{\"stack\": [" + frames + "]}",
                        "{\"name\": \"" + "x".repeat(1 << 21) + "\"}",
                        "{\"stack\": " + "[".repeat(1000))) {
            assertThatThrownBy(() ->
                            VirtualSample.read(
                                    new ByteArrayInputStream(
                                            ("{\"threads\": [" + thread)
                                                    .getBytes(StandardCharsets.UTF_8)),
                                    10,
                                    new SplittableRandom(1)))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void profileOmitsInvalidStacks() {
        Profile profile =
                CollapsedStacks.tree(
                                """
                                ; 99999999999999999999
                                a;b 9e9
                                ;; 2
                                [ 1
                                [x tid=1];a;b 3
                                %s 1
                                """
                                        .formatted("a;".repeat(200_000)),
                                Optional.empty())
                        .profile(Profile.Kind.CPU, "test", 1);

        assertThat(profile.root().samples()).isEqualTo(6);
    }

    @Test
    void threadsOfAProfileHaveNamesInEveryScript() throws IOException {
        Path file = dir.resolve("profile.collapsed");
        byte[] broken =
                "[\u8ba2\u5355];com/acme/Shop.pay 3\n[x\u00ff];a/B.c 1\n"
                        .getBytes(StandardCharsets.UTF_8);
        broken[broken.length - 9] = (byte) 0xff;
        Files.write(file, broken);

        var tree = CollapsedStacks.read(file, Optional.empty()).profile(Profile.Kind.CPU, "t", 1);

        assertThat(tree.root().children()).extracting(Profile.Node::frame).contains("\u8ba2\u5355");
        assertThat(tree.root().samples()).isEqualTo(4);
    }

    @Test
    void ignoresInvalidLogOfStalls() throws IOException {
        assertThat(
                        StallReader.seconds(
                                "Allocation Stall (a) 1.2.3ms\nAllocation Stall (a) 500ms\n"))
                .isEqualTo(0.5);
        Path log = dir.resolve("gc.log");
        Files.write(log, new byte[(4 << 20) + 10]);
        try (var stalls = new StallReader(() -> FileChannel.open(log, StandardOpenOption.READ))) {
            assertThat(stalls.takeSeconds()).isZero();
            Files.writeString(log, "\nAllocation Stall (a) 2000ms\n", StandardOpenOption.APPEND);
            assertThat(stalls.takeSeconds()).isEqualTo(2);
        }
    }

    @Test
    void countsOfThirtyDigitsAreNoCounts() {
        assertThat(
                        LiveObjects.parse(" 1: 999999999999999999999999999999 1 [B\n 2: 5 80 a.B\n")
                                .byClass())
                .containsOnlyKeys("a.B");
    }
}
