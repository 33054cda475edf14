package dev.jdyno.cli.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFolderTest {
    private static final String NAME = "20260101-120000-shop";

    @TempDir Path dir;

    @Test
    void runsOfSameSecondGetSeparateFolders() throws Exception {
        int runs = 16;
        var begin = new CountDownLatch(runs);
        List<Future<Path>> made = new ArrayList<>();
        try (var threads = Executors.newFixedThreadPool(runs)) {
            for (int i = 0; i < runs; i++) {
                made.add(
                        threads.submit(() -> {
                            begin.countDown();
                            begin.await();
                            return OutputFolder.createNew(dir.resolve("out"), NAME);
                        }));
            }
        }

        var folders = new HashSet<Path>();
        for (Future<Path> folder : made) {
            folders.add(folder.get());
        }
        assertThat(folders).hasSize(runs).allMatch(Files::isDirectory);
        assertThat(folders).contains(dir.resolve("out").resolve(NAME));
    }

    @Test
    void keepsExistingFolderOfSameName() throws Exception {
        Path elsewhere = Files.createDirectory(dir.resolve("elsewhere"));
        Files.createSymbolicLink(dir.resolve(NAME), elsewhere);
        Files.writeString(dir.resolve(NAME + "-2"), "another's");

        Path made = OutputFolder.createNew(dir, NAME);

        assertThat(made).isEqualTo(dir.resolve(NAME + "-3"));
        assertThat(elsewhere).isEmptyDirectory();
        assertThat(dir.resolve(NAME + "-2")).hasContent("another's");
    }
}
