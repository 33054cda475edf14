package dev.jdyno.observe.stacks;

import dev.jdyno.observe.gc.StallReader;
import dev.jdyno.observe.heap.LiveObjects;
import dev.jdyno.observe.threads.LockGraph;
import dev.jdyno.observe.window.CompilerState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// Parses the answer of `Thread.print` and processes its threads.
public final class ThreadDumpFuzz {
    private static final int SEED_BYTES = 8000;
    private static final StackClassifier CLASSIFIER = new StackClassifier(Frames.builtIn());

    private ThreadDumpFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        ThreadDump dump = ThreadDump.parse(text);
        dump.threads()
                .forEach(t -> {
                    var _ = CLASSIFIER.classify(t);
                    var _ = PoolName.of(t.name());
                });
        var locks = new LockGraph(dump.threads());
        locks.queues();
        locks.deadlocks();
        var _ = locks.behindDeadlocks();
        // other answers of a JVM
        var _ = LiveObjects.parse(text);
        var _ = CompilerState.of(text);
        var _ = StallReader.seconds(text);
    }

    public static List<byte[]> seeds() throws IOException {
        List<byte[]> seeds = new ArrayList<>();
        try (Stream<Path> files =
                Files.list(Path.of("../observe/src/test/resources/dev/jdyno/observe"))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".txt")).sorted().toList()) {
                byte[] dump = Files.readAllBytes(file);
                seeds.add(Arrays.copyOf(dump, Math.min(dump.length, SEED_BYTES)));
            }
        }
        seeds.add(
                """
                "a" #26 [26060] daemon prio=5 os_prio=0 cpu=1.31ms tid=0x1 nid=26060 waiting  [0x1]
                   java.lang.Thread.State: BLOCKED (on object monitor)
                	at com.acme.A.b(A.java:1)
                	- waiting to lock <0x000000068e0b1c40> (a java.lang.Object)
                	- locked <0x000000068e0b1c41> (a java.lang.Object)

                Found one Java-level deadlock:
                =============================
                "a":
                  waiting to lock monitor 0x00007f8c38002f30 (object 0x000000068e0b1c40, a java.lang.Object),
                  which is held by "b"
                "b":
                  waiting for ownable synchronizer 0x000000068e0b1c41, (a java.util.concurrent.locks.ReentrantLock$NonfairSync),
                  which is held by "a"
                 1:         12345        1234567  [B (java.base@25.0.3)
                Compilation: disabled (interpreter mode), full_count=0
                [12.345s][info][gc] Allocation Stall (http-nio-exec-3) 41.230ms
                """
                        .getBytes(StandardCharsets.UTF_8));
        return seeds;
    }
}
