package dev.jdyno.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.target.Target;
import dev.jdyno.target.Victims;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ObserverTest {
    @TempDir Path dir;

    static List<Path> jdks() {
        return Victims.jdks();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void cpuOfTargetIsNotCountedAsNeighbours(Path jdk) throws Exception {
        try (Target target = Victims.launch(jdk, dir, "burn");
                Observer observer = Observer.open(target, NanoClock.SYSTEM)) {
            ServerWindow window;
            CpuUse cpu;
            int tries = 0;
            do { // this JVM's compilers may still work on earlier tests
                // sleeps: the observed window
                Thread.sleep(600);
                window = observer.take();
                cpu = window.cpu().orElseThrow();
            } while (cpu.clientCores() >= cpu.processCores() && ++tries < 20);

            assertThat(cpu.processCores()).isPositive();
            assertThat(cpu.processCores()).isLessThanOrEqualTo(cpu.availableCores() + 0.1);
            assertThat(cpu.clientCores()).isLessThan(cpu.processCores());
            assertThat(cpu.machinePct()).isBetween(1.0, 100.0);
            assertThat(window.threads().orElseThrow().live()).isGreaterThan(6);
            assertThat(window.threads().orElseThrow().runQueueThreads()).isPositive();
        }
    }

    static Stream<Arguments> collectors() {
        return Victims.jdks().stream()
                .flatMap(j -> Stream.of("Serial", "Parallel", "G1").map(c -> Arguments.of(j, c)));
    }

    @ParameterizedTest
    @MethodSource("collectors")
    void allocationMatchesPerThreadCountersOfJvm(Path jdk, String collector) throws Exception {
        try (Target target =
                        Victims.launch(
                                jdk,
                                dir,
                                "allocate",
                                "-Xms64m",
                                "-Xmx64m",
                                "-Xmn16m",
                                "-XX:+Use" + collector + "GC");
                Observer observer = Observer.open(target, NanoClock.SYSTEM)) {
            // allocation is counted at each collection, so the window starts and ends at one
            List<ServerWindow> windows = new ArrayList<>();
            double before = allocatedBytes(target);
            observer.take();
            double begun = allocatedBytes(target);
            while (windows.stream().mapToLong(w -> w.gc().orElseThrow().young().count()).sum()
                    < 20) {
                // sleeps: the observed window
                Thread.sleep(50);
                windows.add(observer.take());
            }
            // the machine may stop this process between two readings, but not the JVM
            double atLeast = allocatedBytes(target) - begun;
            windows.add(observer.take());
            double atMost = allocatedBytes(target) - before;
            ServerWindow window = ServerWindow.over(windows);

            GcActivity gc = window.gcFor(1).orElseThrow();
            assertThat(gc.young().ms()).isPositive();
            assertThat(gc.pauseShare()).isBetween(0.0, 1.0);
            assertThat(gc.requestBytes().orElseThrow()).isBetween(0.85 * atLeast, 1.15 * atMost);
        }
    }

    /// The JVM's own count of allocated bytes per thread, from lines such as `… allocated=212M …`.
    private static double allocatedBytes(Target target) throws InterruptedException {
        String dump = target.jcmd().run("Thread.print -e");
        double bytes = 0;
        Matcher m = Pattern.compile("allocated=(\\d+)([BKMG]) ").matcher(dump);
        while (m.find()) {
            bytes += Long.parseLong(m.group(1)) * Math.pow(1024, "BKMG".indexOf(m.group(2)));
        }
        return bytes;
    }

    @Test
    void factsListAvailableAndMissingSources() throws Exception {
        try (Target target = Victims.launch(jdks().get(0), dir, "sleep", "-XX:-UsePerfData");
                Observer observer = Observer.open(target, NanoClock.SYSTEM)) {
            TargetFacts facts = observer.facts();

            assertThat(facts.means()).contains("proc", "schedstat", "attach");
            assertThat(facts.means()).doesNotContain("hsperfdata");
            assertThat(facts.missing()).anySatisfy(m -> assertThat(m).contains("UsePerfData"));
            assertThat(facts.pid()).contains(target.pid());
            assertThat(facts.cores()).isPositive();
            assertThat(observer.take().gc()).isEmpty();
            assertThat(observer.take().threads().orElseThrow().startedPerS()).isEmpty();
        }
    }

    @Test
    void endedTargetGivesWindowsWithoutItsFigures() throws Exception {
        try (Target target = Victims.launch(jdks().get(0), dir, "sleep");
                Observer observer = Observer.open(target, NanoClock.SYSTEM)) {
            Victims.kill(target);
            observer.take();

            ServerWindow window = observer.take();

            assertThat(window.cpu()).isEmpty();
            assertThat(window.threads()).isEmpty();
        }
    }
}
