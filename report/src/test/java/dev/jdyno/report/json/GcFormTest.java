package dev.jdyno.report.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.gclog.GcComparison;
import dev.jdyno.gclog.GcLog;
import dev.jdyno.gclog.rules.Diagnoses;
import dev.jdyno.gclog.sums.Analysis;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/// The complete GC documents of real logs. Users' scripts rely on the keys, their order and the
/// form of numbers. `-Dgolden.update=true` rewrites the files.
class GcFormTest {
    private static final Path LOGS = Path.of("../gclog/src/test/resources/gclog");
    private static final Path FOLDER = Path.of("src/test/resources/gclog/json");

    private static final OptionalDouble QPS = OptionalDouble.of(100);

    private static Analysis read(String log) throws IOException {
        try (InputStream in =
                new GZIPInputStream(Files.newInputStream(LOGS.resolve(log + ".log.gz")))) {
            return GcLog.read(log, in, GcLog.Options.DEFAULT);
        }
    }

    /// The golden file is indented, so that a change can be read. The keys keep the order of the
    /// document.
    private static void assertGolden(String name, String document) throws IOException {
        var mapper = JsonMapper.shared();
        String actual =
                mapper.writerWithDefaultPrettyPrinter()
                                .writeValueAsString(mapper.readTree(document))
                        + "\n";
        Path file = FOLDER.resolve(name + ".json");
        if (Boolean.getBoolean("golden.update")) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, actual);
        }
        assertThat(actual)
                .as("%s (rewrite with -Dgolden.update=true)", file)
                .isEqualTo(Files.readString(file));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdk25-g1",
                "jdk25-parallel",
                "jdk25-z",
                "jdk25-shenandoah",
                "jdk25-epsilon",
                "jdk11-concmarksweep"
            })
    void documentOfLogMatchesGolden(String log) throws IOException {
        Analysis a = read(log);
        assertGolden(log, GcJson.write(a, QPS, Diagnoses.of(a, QPS), Diagnoses.isWithheld(a)));
    }

    @Test
    void unknownValueIsNull() throws IOException {
        Analysis a = read("jdk25-serial");
        assertGolden("no-rate", GcJson.write(a, OptionalDouble.empty(), List.of(), true));
    }

    @Test
    void comparisonOfTwoLogsMatchesGoldenFile() throws IOException {
        Analysis before = read("jdk17-serial");
        Analysis after = read("jdk25-g1");
        GcComparison compared =
                GcComparison.of(before, Diagnoses.of(before, QPS), after, Diagnoses.of(after, QPS));
        assertGolden("comparison", GcJson.comparison(compared));
    }
}
