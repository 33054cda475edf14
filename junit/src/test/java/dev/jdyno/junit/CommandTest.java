package dev.jdyno.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandTest {
    @TempDir private Path folder;

    private Path program(String name, String text) throws IOException {
        Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + text + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void propertyPrecedesVariableAndPath() throws IOException {
        Path a = program("a", "");
        Path b = program("b", "");
        Path onPath = program("jdyno", "");
        Optional<String> first = Optional.of(a.toString());
        Optional<String> second = Optional.of(b.toString());
        String path = "/nowhere:" + folder;
        assertThat(Command.found(first, second, path).words()).containsExactly(a.toString());
        assertThat(Command.found(Optional.empty(), second, path).words())
                .containsExactly(b.toString());
        assertThat(Command.found(Optional.empty(), Optional.empty(), path).words())
                .containsExactly(onPath.toString());
    }

    @Test
    void listsSearchedFoldersOfMissingCommand() {
        assertThatThrownBy(() -> Command.found(Optional.empty(), Optional.empty(), "/nowhere"))
                .isInstanceOf(DynoException.class)
                .hasMessageContainingAll(Command.PROPERTY, Command.VARIABLE, "PATH");
        assertThatThrownBy(() -> Command.found(Optional.of("/no/file"), Optional.empty(), ""))
                .isInstanceOf(DynoException.class)
                .hasMessageContaining("/no/file");
    }

    @Test
    void aCommandThatHangsIsEnded() throws IOException {
        Path hangs = program("hangs", "echo $$ > '" + folder + "/pid'; exec sleep 600");
        var command = new Command(List.of(hangs.toString()));
        assertThatThrownBy(() -> command.run(List.of(), Map.of(), folder, Duration.ofSeconds(10)))
                .isInstanceOf(DynoException.class);
        long pid = Long.parseLong(Files.readString(folder.resolve("pid")).strip());
        assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
    }
}
