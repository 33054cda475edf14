package dev.jdyno.serve;

import dev.jdyno.history.Commit;
import dev.jdyno.history.Entries;
import dev.jdyno.history.Entry;
import dev.jdyno.history.EntryFixture;
import dev.jdyno.history.History;
import dev.jdyno.history.Kind;
import dev.jdyno.history.Store;
import dev.jdyno.measure.statistics.Interval;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/// Results of twelve days of one plan, from `day-00` on. From `day-08` on, throughput is 20 %
/// higher.
public final class Week {
    public static final Path GC_LOG =
            Path.of("../gclog/src/test/resources/gclog/jdk17-serial.log.gz");

    private Week() {}

    /// @param files folder for the files of every result, with a `gc.log`
    public static History of(String plan, Path store, Path files)
            throws IOException, NoSuchAlgorithmException {
        History history = History.open(new Store.File(store));
        try (var log = new GZIPInputStream(Files.newInputStream(GC_LOG))) {
            Files.copy(log, files.resolve("gc.log"));
        }
        List<Entry.Artifact> artifacts = new ArrayList<>();
        try (Stream<Path> all = Files.list(files)) {
            for (Path file : all.sorted().toList()) {
                byte[] content = Files.readAllBytes(file);
                artifacts.add(
                        new Entry.Artifact(
                                files.relativize(file).toString(),
                                content.length,
                                HexFormat.of()
                                        .formatHex(
                                                MessageDigest.getInstance("SHA-256")
                                                        .digest(content))));
            }
        }
        for (int day = 0; day < 12; day++) {
            history.add(day(plan, day, files, artifacts));
        }
        return history;
    }

    private static Entry day(String plan, int day, Path files, List<Entry.Artifact> artifacts) {
        double qps = (day < 8 ? 100 : 120) + day % 3;
        return new EntryFixture(
                        "day-%02d".formatted(day),
                        Kind.RUN,
                        plan,
                        Instant.parse("2026-11-01T00:00:00Z").plus(Duration.ofDays(day)))
                .label(Optional.of("a label of day " + day))
                .seconds(60)
                .code(
                        Optional.of(
                                new Commit(
                                        "3fa9c1e07b25d84c3fa9c1e07b25d84c00000000",
                                        Optional.of("main"))))
                .environment(Entries.machine())
                .verdict("cpu")
                .folder(Optional.of(files.toString()))
                .commandLine(
                        "jdyno run shop.yaml --launch 'java -Dapi.token=hunter2 -jar shop.jar'"
                                + " --concurrency 1,2,4,8,16,32,64,128 --out a-folder-with-a-long-name")
                .figures(
                        List.of(
                                new Entry.Figure(
                                        "qps",
                                        "requests/s",
                                        qps,
                                        Optional.of(new Interval(qps - 2, qps + 2)))))
                .parts(
                        List.of(
                                new Entry.Part(Entry.PartKind.CAUSE, "cpu", 1, 0),
                                new Entry.Part(
                                        Entry.PartKind.METHOD,
                                        "com.acme.shop.pricing.RebateCalculator.<init>",
                                        1 + day,
                                        9)))
                .artifacts(artifacts)
                .entry();
    }
}
