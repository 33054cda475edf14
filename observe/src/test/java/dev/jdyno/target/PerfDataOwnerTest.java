package dev.jdyno.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.files.Folder;
import dev.jdyno.files.Stat;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Process 1 of a recorded `/proc`, with perf data files of its number in its `/tmp`.
class PerfDataOwnerTest {
    private static final long BOOT_S = 1_764_000_000;
    private static final long START_TICKS = 500_000;
    private static final long STARTED_MS = BOOT_S * 1000 + START_TICKS * 10;

    @TempDir Path dir;
    private Path proc;
    private Path file;

    @BeforeEach
    void recordProc() throws IOException {
        proc = dir.resolve("proc");
        Files.createDirectories(proc.resolve("1"));
        Path users = Files.createDirectories(dir.resolve("tmp/hsperfdata_app"));
        file = Files.writeString(users.resolve("1"), "counters");
        Files.createSymbolicLink(proc.resolve("1/root"), dir);
        Files.writeString(proc.resolve("stat"), "cpu 1 2 3\nbtime " + BOOT_S + "\n");
        Files.writeString(
                proc.resolve("1/stat"), "1 (java) S" + " 0".repeat(18) + " " + START_TICKS + " 0");
        runsAs(uid());
    }

    private long uid() throws IOException {
        return ((Number) Files.getAttribute(file, "unix:uid")).longValue();
    }

    private void runsAs(long uid) throws IOException {
        Files.writeString(
                proc.resolve("1/status"),
                "NSpid:\t1\nUid:\t%d\t%d\t%d\t%d\n".formatted(uid, uid, uid, uid));
    }

    private void mapped(String line) throws IOException {
        Files.writeString(
                proc.resolve("1/maps"),
                "7f00-7f01 r-xp 00000000 fe:00 77     /usr/lib/jvm/lib/server/libjvm.so\n" + line);
    }

    private String inode() throws IOException {
        return Files.getAttribute(file, "unix:ino").toString();
    }

    private Optional<String> whyNot(OptionalLong begunMs) throws IOException {
        var owner = new PerfDataOwner(new ProcFs(proc), 1);
        String name = "hsperfdata_app/1";
        try (Folder folder = Folder.open(dir.resolve("tmp/hsperfdata_app"))) {
            Stat its = folder.stat("1").orElseThrow();
            return owner.whyNot(name, its)
                    .or(() ->
                            owner.isMapped(name, its)
                                    ? Optional.empty()
                                    : owner.whyNotSince(begunMs));
        }
    }

    @Test
    void acceptsMappedFileOfAnyOwner() throws IOException {
        runsAs(uid() + 1);
        mapped("7f02-7f03 rw-s 00000000 fe:00 " + inode() + "   /tmp/hsperfdata_app/1\n");

        assertThat(whyNot(OptionalLong.of(0))).isEmpty();
    }

    @Test
    void unmappedFileBelongsToOtherProcess() throws IOException {
        mapped("7f02-7f03 rw-s 00000000 fe:00 " + inode() + "   /tmp/hsperfdata_web/1\n");
        assertThat(whyNot(OptionalLong.of(STARTED_MS)).orElse("")).contains("has not mapped");

        mapped("7f02-7f03 rw-s 00000000 fe:00 4711   /tmp/hsperfdata_app/1 (deleted)\n");
        assertThat(whyNot(OptionalLong.of(STARTED_MS)).orElse("")).contains("was removed");
    }

    /// An overlay file system may show another inode.
    @Test
    void ownerAndStartDecideIfInodesDiffer() throws IOException {
        mapped("7f02-7f03 rw-s 00000000 fe:00 4711   /tmp/hsperfdata_app/1\n");

        assertThat(whyNot(OptionalLong.of(STARTED_MS + 60_000))).isEmpty();
        assertThat(whyNot(OptionalLong.empty())).isEmpty();
        assertThat(whyNot(OptionalLong.of(STARTED_MS - 60_000)).orElse(""))
                .contains("began 60 s before it");
        runsAs(uid() + 1);
        assertThat(whyNot(OptionalLong.of(STARTED_MS)).orElse("")).contains("runs as uid");
    }

    /// The file of a killed JVM of another user.
    @Test
    void ignoresFileUnderPidOfJvmWithoutCounters() throws Exception {
        Path jdk = Victims.jdks().getFirst();
        try (Target counting = Victims.launch(jdk, dir, "sleep");
                Target silent = Victims.launch(jdk, dir, "sleep", "-XX:-UsePerfData");
                PerfData counters = PerfData.of(counting.pid())) {
            assertThat(counters.value("sun.rt.createVmBeginTime")).isPresent();
            Path left = Files.createDirectories(Path.of("/tmp/hsperfdata_jdyno-test"));
            Path stale = left.resolve(Long.toString(silent.pid()));
            try {
                Files.copy(
                        Path.of(
                                "/tmp/hsperfdata_" + System.getProperty("user.name"),
                                Long.toString(counting.pid())),
                        stale);

                assertThatThrownBy(() -> PerfData.of(silent.pid()))
                        .isInstanceOfSatisfying(
                                UserError.class,
                                e ->
                                        assertThat(e.why())
                                                .contains(
                                                        "hsperfdata_jdyno-test", "another JVM's"));
            } finally {
                Files.deleteIfExists(stale);
                Files.delete(left);
            }
        }
    }

    /// A cleaner of old files has removed the file. The kernel shows the content of a mapped file
    /// to root only.
    @Test
    void removedFileIsReadThroughTheMappingOfTheProcess() throws Exception {
        Files.delete(file);
        mapped("7f02-7f03 rw-s 00000000 fe:00 4711   /tmp/hsperfdata_app/1 (deleted)\n");
        assertThatThrownBy(() -> PerfData.of(new ProcFs(proc), 1))
                .isInstanceOfSatisfying(
                        UserError.class,
                        e -> {
                            assertThat(e.why()).contains("was removed", "root");
                            assertThat(e.fix()).contains("hsperfdata");
                        });

        Path jdk = Victims.jdks().getFirst();
        try (Target counting = Victims.launch(jdk, dir, "sleep")) {
            Files.createSymbolicLink(
                    Files.createDirectories(proc.resolve("1/map_files")).resolve("7f02-7f03"),
                    Path.of(
                            "/tmp/hsperfdata_" + System.getProperty("user.name"),
                            Long.toString(counting.pid())));
            try (PerfData counters = PerfData.of(new ProcFs(proc), 1)) {
                assertThat(counters.value("sun.rt.createVmBeginTime")).isPresent();
            }
        }
    }

    /// A process that reads the counters of other JVMs also maps their files.
    @ParameterizedTest
    @ValueSource(
            strings = {"hsperfdata_app/11", "hsperfdata_app/x/1", "hsperfdata_app/1 (deleted)"})
    void ignoresRemovedFileOfOtherPid(String another) throws IOException {
        Files.delete(file);
        removed(another, STARTED_MS);

        assertThatThrownBy(() -> PerfData.of(new ProcFs(proc), 1))
                .isInstanceOfSatisfying(
                        UserError.class,
                        e -> assertThat(e.why()).contains("publishes no perf data"));
    }

    @Test
    void ignoresRemovedFileOfEarlierJvm() throws IOException {
        Files.delete(file);
        removed("hsperfdata_app/1", STARTED_MS + 100);
        try (PerfData counters = PerfData.of(new ProcFs(proc), 1)) {
            assertThat(counters.value("sun.rt.createVmBeginTime")).hasValue(STARTED_MS + 100);
        }

        removed("hsperfdata_app/1", STARTED_MS - 60_000);
        assertThatThrownBy(() -> PerfData.of(new ProcFs(proc), 1))
                .isInstanceOfSatisfying(
                        UserError.class, e -> assertThat(e.why()).contains("began 60 s before it"));
    }

    /// Writes a removed file whose only counter is the start time of its JVM.
    private void removed(String name, long begunMs) throws IOException {
        mapped("7f02-7f03 rw-s 00000000 fe:00 4711   /tmp/" + name + " (deleted)\n");
        byte[] counter = "sun.rt.createVmBeginTime".getBytes(StandardCharsets.US_ASCII);
        ByteBuffer counters = ByteBuffer.allocate(88).putInt(0, 0xcafec0c0).put(5, (byte) 2);
        // one entry after the prologue: the name follows the entry's head, and the value is at its
        // end
        counters.putInt(24, 32).putInt(28, 1).putInt(32, 56).putInt(36, 20);
        counters.put(44, (byte) 'J').putInt(48, 48).put(52, counter).putLong(80, begunMs);
        Files.write(
                Files.createDirectories(proc.resolve("1/map_files")).resolve("7f02-7f03"),
                counters.array());
    }

    @Test
    void namesFlagThatDisablesCounters() throws IOException {
        Files.delete(file);
        mapped("");
        for (String flag : List.of("-XX:-UsePerfData", "-XX:+PerfDisableSharedMem")) {
            Files.writeString(proc.resolve("1/cmdline"), "java\0" + flag + "\0-jar\0a.jar\0");
            assertThatThrownBy(() -> PerfData.of(new ProcFs(proc), 1))
                    .isInstanceOfSatisfying(
                            UserError.class, e -> assertThat(e.why()).contains("(" + flag + ")"));
        }
    }

    @Test
    void skipsUnreadableFile() throws IOException {
        mapped("7f02-7f03 rw-s 00000000 fe:00 " + inode() + "   /tmp/hsperfdata_app/1\n");
        Files.writeString(file, "no counters at all, and long enough to be looked at");

        assertThatThrownBy(() -> PerfData.of(new ProcFs(proc), 1))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("cannot be read");
    }
}
