package dev.jdyno.fuzz;

import dev.jdyno.gclog.GcComparison;
import dev.jdyno.gclog.GcDiagnosis;
import dev.jdyno.gclog.GcLog;
import dev.jdyno.gclog.rules.Diagnoses;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.report.json.GcJson;
import dev.jdyno.report.terminal.GcComparisonLines;
import dev.jdyno.report.terminal.GcText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/// Reads a GC log, plain or compressed, and makes all output from it.
public final class GcLogFuzz {
    private static final int SEED_BYTES = 6000;

    private GcLogFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Analysis a;
        try {
            a = GcLog.read("log", new ByteArrayInputStream(input), GcLog.Options.DEFAULT);
        } catch (UserError refused) {
            return;
        }
        List<GcDiagnosis> found = Diagnoses.of(a, OptionalDouble.of(100));
        boolean withheld = Diagnoses.isWithheld(a);
        var _ = GcText.lines(a, OptionalDouble.of(100), found, withheld);
        var _ = GcJson.write(a, OptionalDouble.of(100), found, withheld);
        var _ = GcComparisonLines.of(GcComparison.of(a, found, a, found));
    }

    /// The beginning and a part of the middle of every log fixture.
    public static List<byte[]> seeds() throws IOException {
        List<byte[]> seeds = new ArrayList<>();
        try (Stream<Path> files = Files.list(Path.of("../gclog/src/test/resources/gclog"))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".gz")).sorted().toList()) {
                byte[] packed = Files.readAllBytes(file);
                seeds.add(Arrays.copyOf(packed, Math.min(packed.length, 2000)));
                try (var in = new GZIPInputStream(Files.newInputStream(file))) {
                    byte[] log = in.readAllBytes();
                    seeds.add(Arrays.copyOf(log, Math.min(log.length, SEED_BYTES)));
                    int from = Math.max(0, log.length / 2 - SEED_BYTES / 2);
                    seeds.add(
                            Arrays.copyOfRange(log, from, Math.min(log.length, from + SEED_BYTES)));
                }
            }
        }
        seeds.add(
                """
                2014-12-10T11:13:09.597+0800: 66955.317: [GC (Allocation Failure) 2014-12-10T11:13:09.597+0800: 66955.318: [ParNew: 24520K->1K(39168K), 0.0116 secs] 66955.3: [CMS: 1K->1K(2K), 0.1 secs] 34000K->5K(126720K), [Metaspace: 3K->3K(1056768K)], 0.0124 secs] [Times: user=0.01 sys=0.00, real=0.01 secs]
                1.5: [GC pause (G1 Evacuation Pause) (young), 0.003 secs]
                   [Eden: 24.0M(24.0M)->0.0B(13.0M) Survivors: 0.0B->3072.0K Heap: 24.0M(256.0M)->21.8M(256.0M)]
                3.5: [Full GC (System.gc()) [PSYoungGen: 1K->0K(2K)] [ParOldGen: 1K->1K(2K)] 2K->1K(4K), 0.5 secs]
                4.099: Total time for which application threads were stopped: 0.0000590 seconds
                Desired survivor size 1048576 bytes, new threshold 7 (max 15)
                - age   1:     100000 bytes,     100000 total
                """
                        .getBytes(StandardCharsets.UTF_8));
        return seeds;
    }
}
