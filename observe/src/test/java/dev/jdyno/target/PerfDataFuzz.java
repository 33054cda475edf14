package dev.jdyno.target;

import dev.jdyno.fuzz.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Reads a file of perf data (`/tmp/hsperfdata_USER/PID`).
public final class PerfDataFuzz {
    private static final Scratch SCRATCH = new Scratch();

    private PerfDataFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Path file = SCRATCH.file("perf", input);
        try (PerfData perf = PerfData.open(file)) {
            for (String name : List.of("a", "b", "sun.gc.cause", "sun.rt.createVmBeginTime")) {
                perf.value(name);
                perf.text(name);
                var _ = perf.counter(name).or(0);
                var _ = perf.label(name).or("");
            }
        } catch (IOException refused) {
            // the documented exception
        }
    }

    public static List<byte[]> seeds() throws IOException {
        List<byte[]> seeds = new ArrayList<>();
        ByteBuffer small = ByteBuffer.allocate(128).order(ByteOrder.LITTLE_ENDIAN);
        small.order(ByteOrder.BIG_ENDIAN).putInt(0, 0xcafec0c0).order(ByteOrder.LITTLE_ENDIAN);
        small.put(4, (byte) 1).put(5, (byte) 2).putInt(24, 32).putInt(28, 2);
        small.putInt(32, 32).putInt(36, 20).putInt(40, 0).putInt(48, 24);
        small.put(44, (byte) 'J').put(52, (byte) 'a').putLong(56, 7);
        small.putInt(64, 40).putInt(68, 20).putInt(72, 16).putInt(80, 24);
        small.put(76, (byte) 'B').put(84, "b".getBytes(StandardCharsets.UTF_8));
        small.put(88, "No GC".getBytes(StandardCharsets.UTF_8));
        seeds.add(small.array());
        Path own =
                Path.of(
                        System.getProperty("java.io.tmpdir"),
                        "hsperfdata_" + System.getProperty("user.name"),
                        Long.toString(ProcessHandle.current().pid()));
        if (Files.isReadable(own)) {
            byte[] all = Files.readAllBytes(own);
            seeds.add(Arrays.copyOf(all, Math.min(all.length, 4000)));
        }
        return seeds;
    }
}
