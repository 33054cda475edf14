package dev.jdyno.observe.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.ChildProgram;
import dev.jdyno.measure.Neighbour;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NeighboursTest {
    @TempDir Path root;

    /// Start time, in ticks, of the processes that the test writes from now on.
    private long started = 4000;

    private void process(long pid, String comm, String command, long user, long system)
            throws IOException {
        child(1, pid, comm, command, user, system);
    }

    private void child(long parent, long pid, String comm, String command, long user, long system)
            throws IOException {
        Path of = Files.createDirectories(root.resolve(Long.toString(pid)));
        Files.writeString(of.resolve("comm"), comm + "\n");
        Files.writeString(of.resolve("cmdline"), command.replace(' ', '\0') + "\0");
        Files.writeString(
                of.resolve("stat"),
                pid
                        + " ("
                        + comm
                        + ") S "
                        + parent
                        + " 1 1 0 -1 0 0 0 0 0 "
                        + user
                        + " "
                        + system
                        + " 0 0 20 0 1 0 "
                        + started
                        + " 0 0");
    }

    @Test
    void namesTheProcessesThatUseTheCores() throws IOException {
        process(10, "java", "java -Xmx1g -cp a.jar:b.jar com.acme.Archive --token geheim", 100, 0);
        process(11, "postgres", "postgres -D /data", 500, 100);
        process(12, "cron", "cron", 7, 0);
        process(13, "java", "java -jar service.jar", 0, 0);
        var neighbours = new Neighbours(new ProcFs(root), Set.of(13L));

        Neighbours.Reading before = neighbours.read();
        process(10, "java", "java -Xmx1g -cp a.jar:b.jar com.acme.Archive --token geheim", 330, 10);
        process(11, "postgres", "postgres -D /data", 520, 120);
        process(12, "cron", "cron", 8, 0);
        process(13, "java", "java -jar service.jar", 400, 0);
        Signals seen = neighbours.between(before, neighbours.read(), 2);

        assertThat(seen.of(Sign.NEIGHBOUR_CORES).orElseThrow()).isEqualTo(1.4, within(1e-9));
        assertThat(seen.place(Sign.NEIGHBOUR_CORES))
                .contains("java com.acme.Archive (pid 10) 1.20, postgres (pid 11) 0.20");
    }

    /// Child processes of the target work for it. Helpers that jdyno started are excluded, too.
    @Test
    void processesOfTargetAndToolAreNoNeighbours() throws IOException {
        process(13, "java", "java -jar service.jar", 0, 0);
        child(13, 20, "convert", "convert", 0, 0);
        child(20, 21, "worker", "worker", 0, 0);
        process(30, "make", "make", 0, 0);
        var others = Neighbours.ofUnrelatedProcesses(new ProcFs(root), 13, 7);

        Neighbours.Reading before = others.read();
        assertThat(before.ours()).containsOnly(13L, 20L, 21L);
        process(30, "make", "make", 150, 50);

        assertThat(others.users(before, others.read(), 2))
                .containsExactly(new Neighbour("make", 30, 1));
    }

    /// The target's line includes the CPU of ended children that it waited for.
    private void targetWithEnded(long endedTicks) throws IOException {
        process(13, "java", "java -jar service.jar", 0, 0);
        Path stat = root.resolve("13/stat");
        Files.writeString(
                stat,
                Files.readString(stat).replace(" 0 0 0 0 20 ", " 0 0 " + endedTicks + " 0 20 "));
    }

    @Test
    void childrenAreNamedByTheirPrograms() throws IOException {
        targetWithEnded(700);
        child(13, 20, "gs", "gs", 500, 0);
        child(13, 21, "convert", "convert", 5, 0);
        var family = Neighbours.ofUnrelatedProcesses(new ProcFs(root), 13, 7);
        Neighbours.Reading before = family.read();

        child(13, 20, "gs", "gs", 540, 10);
        end(21);
        started = 9000;
        child(13, 22, "convert", "convert", 8, 0);
        child(13, 23, "jspawnhelper", "jspawnhelper", 0, 0);
        // the process convert from above with 5 ticks more, and short-lived processes meanwhile
        targetWithEnded(700 + 100);

        List<ChildProgram> children = family.children(before, family.read(before), 1);

        assertThat(children).extracting(ChildProgram::name).containsExactly("convert", "gs");
        assertThat(children.get(0).cores()).isEqualTo(1.03, within(1e-9));
        assertThat(children.get(1).cores()).isEqualTo(0.5, within(1e-9));
    }

    @Test
    void childrenThatNoReadingFoundHaveNoName() throws IOException {
        targetWithEnded(0);
        var family = Neighbours.ofUnrelatedProcesses(new ProcFs(root), 13, 7);
        Neighbours.Reading before = family.read();
        assertThat(family.children(before, family.read(before), 1)).isEmpty();

        targetWithEnded(90);

        assertThat(family.children(before, family.read(before), 1))
                .containsExactly(new ChildProgram(ChildProgram.UNNAMED, 0.9));
    }

    /// The user who starts a process chooses its name.
    @Test
    void processNameCannotMoveTheCursor() throws IOException {
        process(30, "ev\u001b[2Jil", "evil", 0, 0);
        var others = new Neighbours(new ProcFs(root), Set.of());
        Neighbours.Reading before = others.read();
        process(30, "ev\u001b[2Jil", "evil", 100, 0);

        assertThat(others.users(before, others.read(), 1).getFirst().name())
                .isEqualTo("ev\ufffd[2Jil");
    }

    /// CSI in one character, marks that change the text direction, and characters of zero width.
    @Test
    void processNameIsShownWithoutControlCharacters() throws IOException {
        for (String obeyed : List.of("\u009b", "\u202e", "\u2066", "\u200b", "\u2028")) {
            process(30, "ev" + obeyed + "il", "evil", 0, 0);
            process(31, "java", "java -jar ev" + obeyed + "il.jar", 0, 0);
            for (long pid : new long[] {30, 31}) {
                String name = Neighbours.name(new ProcFs(root), pid);
                assertThat(name.chars()).noneMatch(Printable::isObeyed);
                assertThat(name).contains("ev", "\ufffd", "il");
            }
        }
    }

    /// Its parent ended. In the process table, it is now a child of init with hours of CPU time.
    @Test
    void orphanedHelperStaysInFamily() throws IOException {
        process(13, "java", "java -jar service.jar", 0, 0);
        child(13, 20, "sh", "sh", 0, 0);
        child(20, 21, "ffmpeg", "ffmpeg", 90_000, 0);
        var others = Neighbours.ofUnrelatedProcesses(new ProcFs(root), 13, 7);
        Neighbours.Reading before = others.read();

        end(20);
        child(1, 21, "ffmpeg", "ffmpeg", 90_100, 0);
        child(21, 22, "ffprobe", "ffprobe", 100, 0);
        Neighbours.Reading after = others.read(before);

        assertThat(others.users(before, after, 1)).isEmpty();
        assertThat(others.users(after, others.read(after), 1)).isEmpty();
    }

    /// A process that left the family counts with its CPU since then, not with that of its whole
    /// life.
    @Test
    void aProcessIsMeasuredFromTheLastReadingOn() throws IOException {
        process(13, "java", "java -jar service.jar", 0, 0);
        child(13, 21, "worker", "worker", 90_000, 0);
        process(30, "make", "make", 500, 0);
        Neighbours.Reading before = Neighbours.ofUnrelatedProcesses(new ProcFs(root), 13, 7).read();
        child(13, 21, "worker", "worker", 90_100, 0);
        // another process has the pid of an ended one, and one process is new
        started = 9000;
        process(30, "cc1", "cc1", 40, 0);
        process(31, "ld", "ld", 50, 0);

        var without = new Neighbours(new ProcFs(root), Set.of(13L));
        var after = new Neighbours.Reading(without.read().all(), Set.of(13L), Map.of());

        assertThat(without.users(before, after, 1))
                .containsExactly(
                        new Neighbour("worker", 21, 1),
                        new Neighbour("ld", 31, 0.5),
                        new Neighbour("cc1", 30, 0.4));
    }

    private void end(long pid) throws IOException {
        Path of = root.resolve(Long.toString(pid));
        for (String file : List.of("comm", "cmdline", "stat")) {
            Files.delete(of.resolve(file));
        }
        Files.delete(of);
    }

    @Test
    void namesNoIdleProcess() throws IOException {
        process(12, "cron", "cron", 7, 0);
        var neighbours = new Neighbours(new ProcFs(root), Set.of());

        assertThat(neighbours.between(neighbours.read(), neighbours.read(), 2))
                .isEqualTo(Signals.NONE);
    }

    @Test
    void namesJvmByItsProgram() {
        assertThat(Neighbours.mainOf(List.of("java", "-jar", "/opt/shop/shop.jar", "x")))
                .isEqualTo("shop.jar");
        assertThat(Neighbours.mainOf(List.of("java", "@args", "-ea", "--add-opens", "a/b=c", "A")))
                .isEqualTo("A");
        assertThat(Neighbours.mainOf(List.of("java"))).isEmpty();
    }
}
