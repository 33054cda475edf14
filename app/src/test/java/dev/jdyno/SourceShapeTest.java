package dev.jdyno;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Limits the size of source files in every module: a longer file is split by idea.
class SourceShapeTest {
    /// Maximum number of lines of a file. The aim is 150, and 300 need a reason.
    private static final int MAX_LINES = 500;

    @Test
    void noSourceFileIsTooLong() throws IOException {
        List<String> tooLong = new ArrayList<>();
        for (Path file : sources()) {
            long lines = Files.readAllLines(file).size();
            if (lines > MAX_LINES) {
                tooLong.add(file + ": " + lines + " lines");
            }
        }
        assertThat(tooLong).as("files over %d lines", MAX_LINES).isEmpty();
    }

    @Test
    void everyPackageIsDescribedAndNullMarked() throws IOException {
        List<String> silent = new ArrayList<>();
        for (Path file : sources()) {
            if (!file.toString().contains("/main/")) {
                continue;
            }
            Path info = file.resolveSibling("package-info.java");
            if (!Files.exists(info)
                    || !Files.readString(info).contains("///")
                    || !Files.readString(info).contains("@NullMarked")) {
                silent.add(info.toString());
            }
        }
        assertThat(silent).isEmpty();
    }

    @Test
    void noTestIsDisabledAndNoTodoIsLeftWithoutAnIssue() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : sources()) {
            if (file.endsWith("SourceShapeTest.java")) {
                continue;
            }
            String text = Files.readString(file);
            if (text.contains("@Disabled")
                    || text.matches("(?s).*\\b(TODO|FIXME)\\b(?! *\\(#\\d+).*")) {
                found.add(file.toString());
            }
        }
        assertThat(found).isEmpty();
    }

    private static List<Path> sources() throws IOException {
        List<Path> all = new ArrayList<>();
        for (String module : Modules.all()) {
            Path src = Path.of("..").resolve(module).resolve("src");
            try (var files = Files.walk(src)) {
                files.filter(f -> f.toString().endsWith(".java")).forEach(all::add);
            }
        }
        return all;
    }
}
