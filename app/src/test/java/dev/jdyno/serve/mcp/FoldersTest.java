package dev.jdyno.serve.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FoldersTest {
    @TempDir private Path folder;

    @BeforeEach
    void aHomeWithAProject() throws IOException {
        Files.createDirectories(folder.resolve("homes/ann/project"));
        Files.createSymbolicLink(folder.resolve("link"), folder.resolve("homes/ann"));
        Files.createSymbolicLink(folder.resolve("rootlink"), Path.of("/"));
        Files.writeString(folder.resolve("homes/ann/project/gc.log"), "a log");
    }

    private Folders started(String in, String home) {
        return Folders.current(folder.resolve(in), List.of(folder.resolve(home)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/tmp/..",
                "rootlink",
                "homes/ann",
                "link",
                "homes",
                "homes/ann/../ann",
                "."
            })
    void refusesCurrentFolderAboveHome(String in) {
        for (String home : List.of("homes/ann", "link", "homes/ann/project/..")) {
            assertThatThrownBy(() -> started(in, home))
                    .as("%s, home %s", in, home)
                    .isInstanceOfSatisfying(
                            UserError.class,
                            e -> {
                                assertThat(e.kind()).isEqualTo(UserError.Kind.USAGE);
                                assertThat(e.fix()).contains("--files");
                            });
        }
    }

    @Test
    void refusesEachOfSeveralHomesAndSkipsMissingHomes() {
        List<Path> homes = List.of(folder.resolve("missing"), folder.resolve("homes/ann"));

        assertThatThrownBy(() -> Folders.current(folder.resolve("homes/ann"), homes))
                .isInstanceOf(UserError.class);
    }

    @Test
    void aFolderOfAProjectIsOffered() throws IOException {
        assertThat(started("homes/ann/project", "homes/ann").file("file", "gc.log"))
                .isEqualTo(folder.resolve("homes/ann/project/gc.log").toRealPath());
        assertThat(started("link/project", "missing").file("file", "gc.log")).exists();
    }

    @Test
    void acceptsExplicitHomeFolder() {
        Folders named = Folders.of(List.of(folder.resolve("homes/ann")));

        assertThat(named.file("file", "project/gc.log")).exists();
    }
}
