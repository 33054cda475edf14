package dev.jdyno.cli;

import dev.jdyno.diagnose.Recommendations;
import dev.jdyno.experiment.labelled.KeptCase;
import dev.jdyno.judge.Judge;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.RunResult;
import dev.jdyno.trial.recording.RecordingFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.SoftReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The recordings kept in `corpus/`: measurements of planted cases and of third-party services.
final class Corpus {
    static final Path FOLDER = Path.of("../corpus");

    private static final String OTHER = "." + RecordingFile.NAME;

    private Corpus() {}

    /// All recordings with their results, kept while the heap has room for them. Each test class
    /// needs them, and reading and judging takes most of its time.
    private static SoftReference<Judged> memory = new SoftReference<>(null);

    private record Judged(Map<String, Recording> all, Map<Recording, RunResult> results) {}

    private static synchronized Judged kept() throws IOException {
        Judged there = memory.get();
        if (there == null) {
            there =
                    new Judged(
                            Collections.unmodifiableMap(read()),
                            Collections.synchronizedMap(new IdentityHashMap<>()));
            memory = new SoftReference<>(there);
        }
        return there;
    }

    /// Recordings by name: `CASE-JDK-SEED` of a planted case, or the name of a third-party service.
    static Map<String, Recording> all() throws IOException {
        return kept().all();
    }

    private static Map<String, Recording> read() throws IOException {
        Map<String, Recording> all = new TreeMap<>();
        for (KeptCase kept : KeptCase.allIn(FOLDER.resolve("planted"))) {
            all.put(kept.planted().name() + "-" + kept.jdk() + "-" + kept.seed(), kept.recording());
        }
        try (Stream<Path> files = Files.list(FOLDER.resolve("others"))) {
            for (Path file : files.filter(f -> f.toString().endsWith(OTHER)).toList()) {
                String name = file.getFileName().toString();
                all.put(
                        name.substring(0, name.length() - OTHER.length()),
                        RecordingFile.read(file));
            }
        }
        return all;
    }

    /// @param name `CASE-JDK-SEED`
    static Recording planted(String name) {
        return KeptCase.read(FOLDER.resolve("planted/" + name + KeptCase.SUFFIX)).recording();
    }

    /// @param name of a third-party service
    static Recording other(String name) throws IOException {
        return RecordingFile.read(FOLDER.resolve("others/" + name + OTHER));
    }

    /// The result of a recording of {@link #all}, judged once.
    @SuppressWarnings("ReferenceEquality") // the recording itself, and no equal one
    static RunResult judged(String name, Recording recording) {
        Judged there;
        try {
            there = kept();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        if (there.all().get(name) != recording) {
            return judge(name, recording);
        }
        RunResult result = there.results().get(recording);
        if (result == null) {
            result = judge(name, recording);
            there.results().put(recording, result);
        }
        return result;
    }

    private static RunResult judge(String name, Recording recording) {
        return Judge.rankingBy(Recommendations.Aim.QPS)
                .result(
                        new RunResult.About("0", "jdyno run " + name, Instant.EPOCH, 60, name),
                        recording);
    }
}
