package dev.jdyno.cli;

import dev.jdyno.diagnose.Recommendations;
import dev.jdyno.experiment.labelled.KeptCase;
import dev.jdyno.judge.Judge;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.RunResult;
import dev.jdyno.trial.recording.RecordingFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The kept recordings of `corpus/`: what planted cases and services of other make gave when they
/// were measured.
final class Corpus {
    static final Path FOLDER = Path.of("../corpus");

    private static final String OTHER = "." + RecordingFile.NAME;

    private Corpus() {}

    /// By name: `CASE-JDK-SEED` of a planted case, or the name of a service of other make.
    static Map<String, Recording> all() throws IOException {
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

    /// @param name of a service of other make
    static Recording other(String name) throws IOException {
        return RecordingFile.read(FOLDER.resolve("others/" + name + OTHER));
    }

    static RunResult judged(String name, Recording recording) {
        return Judge.rankingBy(Recommendations.Aim.QPS)
                .result(
                        new RunResult.About("0", "jdyno run " + name, Instant.EPOCH, 60, name),
                        recording);
    }
}
