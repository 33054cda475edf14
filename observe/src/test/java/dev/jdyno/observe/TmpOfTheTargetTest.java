package dev.jdyno.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jdyno.files.Folder;
import dev.jdyno.measure.Eventually;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.observe.profiler.Profiler;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.target.PerfData;
import dev.jdyno.target.Target;
import dev.jdyno.target.Victims;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// JVMs whose `/tmp` differs from that of most hosts.
@Tag("full") // whole observers, mounts
@Timeout(300)
class TmpOfTheTargetTest {
    private static final String[] SMALL = {"-Xmx32m", "-Xmn8m"};

    @TempDir Path dir;

    static List<Path> jdks() {
        return Victims.jdks();
    }

    /// As systemd starts a service with `PrivateTmp=yes`: its own mounts, and everything else
    /// shared.
    @ParameterizedTest
    @MethodSource("jdks")
    void aJvmWithAPrivateTmpIsObservedAsAnyOther(Path jdk) throws Exception {
        assumeTrue(
                new ProcessBuilder("unshare", "-m", "true").start().waitFor() == 0,
                "a process may get mounts of its own");
        long pid;
        try (Target target = Victims.launch(withPrivateTmp(jdk), dir, "allocate", SMALL);
                Observer observer = Observer.open(target, NanoClock.SYSTEM, dir)) {
            pid = target.pid();
            assertThat(Path.of("/proc/" + pid + "/root/tmp/.java_pid" + pid)).exists();
            assertThat(Path.of("/tmp/.java_pid" + pid)).doesNotExist();
            Eventually.until(
                    "a collection", () -> observer.take().gc().orElseThrow().young().count() > 0);

            TargetFacts facts = observer.facts();

            assertThat(facts.means()).contains("hsperfdata", "attach", "jfr", "gclog");
            assertThat(facts.missing()).noneMatch(m -> m.contains("tmp"));
            try (Profiler profiler =
                    Profiler.of(target, NanoClock.SYSTEM, () -> false, Frames.builtIn())) {
                assertThat(profiler.missing()).isEmpty();
            }
        }
        assertThat(Files.readString(dir.resolve("gc.log"))).contains("Pause Young");
        assertThat(dir.resolve("recording.jfr")).isNotEmptyFile();
    }

    /// The private `/tmp` contains only a path to the victim's classes, in case they lie below
    /// `/tmp`.
    private Path withPrivateTmp(Path jdk) throws IOException {
        Path home = dir.resolve("jdk");
        Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
        Files.writeString(
                java,
                """
                #!/bin/sh
                exec unshare -m sh -c '
                  mount -t tmpfs none /mnt && mkdir -p /mnt/tmp "/mnt$0" && chmod 1777 /mnt/tmp &&
                  mount --bind "$0" "/mnt$0" && mount --rbind /mnt/tmp /tmp && exec "$@"
                ' CLASSES JDK/bin/java "$@"
                """
                        .replace("CLASSES", Path.of("target").toAbsolutePath().toString())
                        .replace("JDK", jdk.toString()));
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        return home;
    }

    /// A cleaner of old files has removed the files of a service that runs for weeks.
    @ParameterizedTest
    @MethodSource("jdks")
    void attachesAndReadsCountersAfterTmpWasCleaned(Path jdk) throws Exception {
        try (Target target = Victims.launch(jdk, dir, "allocate", SMALL)) {
            assertThat(target.facts().attachable()).isTrue();
            Files.delete(Path.of("/tmp/.java_pid" + target.pid()));
            Path counters =
                    Path.of("/tmp/hsperfdata_" + System.getProperty("user.name"))
                            .resolve(Long.toString(target.pid()));
            Files.delete(counters);

            try (Target again = Target.attach(target.pid())) {
                assertThat(again.facts().missing()).isEmpty();
            }
            assumeTrue(Folder.ownUid() == 0, "only root opens a removed file of another process");
            try (PerfData perf = PerfData.of(target.pid())) {
                long before = perf.value("sun.gc.collector.0.invocations").orElseThrow();
                Eventually.until(
                        "counters that go on",
                        () -> perf.value("sun.gc.collector.0.invocations").orElseThrow() > before);
            }
            assertThat(counters).doesNotExist();
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void readsCollectionsFromLogWithoutSharedCounters(Path jdk) throws Exception {
        try (Target target =
                        Victims.launch(
                                jdk,
                                dir,
                                "allocate",
                                SMALL[0],
                                SMALL[1],
                                "-XX:+PerfDisableSharedMem");
                Observer observer = Observer.open(target, NanoClock.SYSTEM, dir)) {
            Eventually.until("more allocation than its heap holds", () -> allocatedMb(target) > 64);

            TargetFacts facts = observer.facts();

            assertThat(facts.means()).contains("attach", "jfr", "gclog");
            assertThat(facts.means()).doesNotContain("hsperfdata");
            assertThat(facts.missing())
                    .filteredOn(m -> m.startsWith("hsperfdata"))
                    .singleElement()
                    .satisfies(m ->
                            assertThat(m)
                                    .contains("-XX:+PerfDisableSharedMem")
                                    .doesNotContain("UsePerfData"));
            assertThat(observer.take().gc()).isEmpty();
            assertThat(observer.take().cpu()).isPresent();
        }
        assertThat(Files.readString(dir.resolve("gc.log"))).contains("Pause Young");
    }

    /// The JVM's own count of allocated MB per thread, from lines such as `… allocated=212M …`.
    private static long allocatedMb(Target target) throws InterruptedException {
        return Pattern.compile("allocated=(\\d+)M ")
                .matcher(target.jcmd().run("Thread.print -e"))
                .results()
                .mapToLong(r -> Long.parseLong(r.group(1)))
                .sum();
    }
}
