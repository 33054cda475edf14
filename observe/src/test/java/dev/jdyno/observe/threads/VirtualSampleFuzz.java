package dev.jdyno.observe.threads;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;

/// Reads the output of `Thread.dump_to_file -format=json`.
public final class VirtualSampleFuzz {
    private VirtualSampleFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        try {
            var _ =
                    VirtualSample.read(
                            new ByteArrayInputStream(input), 20, new SplittableRandom(1));
        } catch (IOException refused) {
            // the documented exception
        }
    }

    public static List<byte[]> seeds() {
        return List.of(
                        """
                        {"threadDump": {"processId": "1", "threadContainers": [{"container": "c", "threads": [
                          {"tid": "1", "name": "main", "stack": ["a.B.c(D.java:1)"]},
                          {"tid": "2", "name": "", "virtual": true, "state": "WAITING",
                           "parkBlocker": {"object": "java.util.concurrent.locks.ReentrantLock$NonfairSync@1b2c"},
                           "blockedOn": "java.lang.Object@7b62ae9b",
                           "stack": ["java.base/java.lang.VirtualThread.park(VirtualThread.java:1)"],
                           "monitorsOwned": [{"depth": 1, "locks": ["java.lang.Object@1", null]}]}]}]}}
                        """)
                .stream()
                .map(s -> s.getBytes(StandardCharsets.UTF_8))
                .toList();
    }
}
