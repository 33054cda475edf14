package dev.jdyno.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A target with its own root and `/tmp`, and processes as the system shows them.
class LeftFoldersTest {
    private static final long DEAD = Integer.MAX_VALUE;
    private static final int STRANGER = 12345;

    @TempDir Path dir;
    private Path tmp = Path.of("");
    private final long us = ProcessHandle.current().pid();

    @BeforeEach
    void aTmpOfItsOwn() throws IOException {
        tmp = Files.createDirectories(dir.resolve("root/tmp"));
        for (String file : new String[] {"status", "stat", "uid_map"}) {
            Files.createDirectories(dir.resolve("" + us));
            Files.copy(ProcFs.SYSTEM.of(us, file), dir.resolve(us + "/" + file));
        }
        Files.createSymbolicLink(dir.resolve(us + "/root"), dir.resolve("root"));
        // the code checks the open files of this process
        Files.createSymbolicLink(dir.resolve(us + "/fd"), ProcFs.SYSTEM.of(us, "fd"));
    }

    private int removed() {
        return LeftFolders.remove(new ProcFs(dir), us);
    }

    private Path left(Object tool, String purpose, Object target) throws IOException {
        Path folder = Left.in(tmp, tool, purpose, target.toString());
        Files.writeString(folder.resolve("gc.log"), "x");
        return folder;
    }

    @Test
    void removesFoldersOfKilledRun() throws IOException {
        left(DEAD, "run", us);
        left(DEAD + "t99", "run", us);
        left(DEAD, "profiler", DEAD);
        left(DEAD, "pools", DEAD + "t1");

        assertThat(removed()).isEqualTo(4);
        assertThat(tmp).isEmptyDirectory();
    }

    @Test
    void keepsFoldersOfRunningJdynoAndTarget() throws IOException {
        left(us, "run", us);
        left(DEAD, "profiler", us);
        left(DEAD + "t1", "pools", us);
        Files.createDirectory(tmp.resolve("jdyno-" + DEAD + "-notes-1-0123456789abcdef"));
        Files.writeString(tmp.resolve("jdyno-" + DEAD + "-run-" + us + "-0123456789abcdef"), "x");

        assertThat(removed()).isZero();
    }

    /// In a container, each jdyno has the process id of the previous one.
    @Test
    void removesFolderDespiteReusedPid() throws IOException {
        left(us + "t1", "run", us);

        assertThat(removed()).isEqualTo(1);
    }

    @Test
    void keepsLogUntilJvmClosesFile() throws IOException {
        Path log = left(DEAD, "run", us).resolve("gc.log");

        try (var writes = Files.newOutputStream(log)) {
            writes.write(1);
            assertThat(removed()).isZero();
        }
        assertThat(removed()).isEqualTo(1);
    }

    @Test
    void removalFollowsNoLinkAndEmptiesNoSubfolder() throws IOException {
        Path others = Files.createDirectories(dir.resolve("others"));
        Path file = Files.writeString(others.resolve("kept"), "x");
        String name = "jdyno-" + DEAD + "-run-" + us + "-abcdefabcdefabcd";
        Files.createSymbolicLink(tmp.resolve(name), others);
        Path ours = left(DEAD, "run", us);
        Files.createSymbolicLink(ours.resolve("link"), file);
        Files.createSymbolicLink(ours.resolve("folder"), others);

        assertThat(removed()).isEqualTo(1);

        assertThat(file).exists();
        assertThat(ours).doesNotExist();
        assertThat(Files.isSymbolicLink(tmp.resolve(name))).isTrue();
    }

    @Test
    void folderOfAnotherUserStays() throws IOException {
        Path folder = left(DEAD, "run", us);
        assumeTrue(Files.getAttribute(folder, "unix:uid").equals(0), "only root gives files away");
        Files.setAttribute(folder, "unix:uid", STRANGER);

        assertThat(removed()).isZero();
        assertThat(folder).exists();
    }
}
