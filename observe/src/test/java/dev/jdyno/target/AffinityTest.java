package dev.jdyno.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AffinityTest {
    @TempDir Path dir;

    /// The allowed CPUs of every thread.
    private static Set<String> allowed(Target target) throws IOException {
        Set<String> lists = new TreeSet<>();
        try (var tasks = Files.list(Path.of("/proc/" + target.pid() + "/task"))) {
            for (Path task : tasks.toList()) {
                // a thread may end meanwhile
                ProcFs.text(task.resolve("status")).stream()
                        .flatMap(String::lines)
                        .filter(l -> l.startsWith("Cpus_allowed_list:"))
                        .map(l -> l.substring(l.indexOf(':') + 1).trim())
                        .forEach(lists::add);
            }
        }
        return lists;
    }

    private static int count(Target target) throws IOException {
        return Affinity.cpus(allowed(target).iterator().next()).size();
    }

    @Test
    void everyThreadIsPinnedAndRestored() throws Exception {
        try (Target target = Victims.launch(Victims.jdks().getFirst(), dir, "sleep")) {
            Set<String> before = allowed(target);
            int cores = count(target);
            if (cores == 1) {
                assertThatThrownBy(() -> Affinity.pin(target, 1)).isInstanceOf(UserError.class);
                return;
            }

            Affinity pinned = Affinity.pin(target, 1);
            assertThat(allowed(target)).hasSize(1);
            assertThat(count(target)).isEqualTo(1);
            assertThat(pinned.says())
                    .startsWith("CPU ")
                    .endsWith(" of " + before.iterator().next());
            pinned.close();

            assertThat(allowed(target)).isEqualTo(before);
        }
    }

    @Test
    void restoresOwnCpusOfThread() throws Exception {
        try (Target target = Victims.launch(Victims.jdks().getFirst(), dir, "sleep")) {
            List<Integer> cpus = Affinity.cpus(allowed(target).iterator().next());
            String own = String.valueOf(cpus.getLast());
            String tid;
            try (var tasks = Files.list(Path.of("/proc/" + target.pid() + "/task"))) {
                tid =
                        tasks.map(t -> String.valueOf(t.getFileName()))
                                .filter(t -> !t.equals(String.valueOf(target.pid())))
                                .findFirst()
                                .orElseThrow();
            }
            new ProcessBuilder("taskset", "-p", "-c", own, tid)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            Set<String> before = allowed(target);
            if (cpus.size() == 1) {
                assertThat(before).hasSize(1);
                return;
            }

            Affinity.pin(target, 1).close();

            assertThat(allowed(target)).isEqualTo(before).hasSize(2);
        }
    }

    @Test
    void readsCpuListsOfKernel() {
        assertThat(Affinity.cpus("0-3,8,10-11")).containsExactly(0, 1, 2, 3, 8, 10, 11);
        assertThat(Affinity.cpus("5")).containsExactly(5);
    }

    @Test
    void aTargetThatEndedNeedsNoRestoring() throws Exception {
        try (Target target = Victims.launch(Victims.jdks().getFirst(), dir, "sleep")) {
            if (count(target) == 1) {
                return;
            }
            Affinity pinned = Affinity.pin(target, 1);
            Victims.kill(target);

            pinned.close();

            assertThat(target.isAlive()).isFalse();
        }
    }

    /// The allowed CPUs of a process that is not a JVM.
    private static String cpusOf(long pid) {
        return ProcFs.SYSTEM.status(pid, "Cpus_allowed_list").orElseThrow();
    }

    private static List<Long> children(Path folder, int wanted) throws IOException {
        while (true) {
            try (var files = Files.list(folder)) {
                List<Long> pids =
                        files.map(f -> String.valueOf(f.getFileName()))
                                .filter(f -> f.startsWith("."))
                                .map(f -> Long.parseLong(f.substring(1)))
                                .toList();
                if (pids.size() == wanted) {
                    return pids;
                }
            }
            Thread.onSpinWait();
        }
    }

    @Test
    void restoresThreadsAndChildrenStartedLater() throws Exception {
        Path folder = Files.createDirectory(dir.resolve("forks"));
        try (Target target =
                Victims.launch(Victims.jdks().getFirst(), dir, "forks", "-Dforks=" + folder)) {
            String before = cpusOf(target.pid());
            if (Affinity.cpus(before).size() == 1) {
                return;
            }
            long older = children(folder, 1).getFirst();

            try (Affinity pinned = Affinity.pin(target, 1)) {
                assertThat(pinned.says()).endsWith(" of " + before);
                assertThat(Affinity.cpus(cpusOf(older))).hasSize(1);
                assertThat(allowed(target)).hasSize(1).doesNotContain(before);
                Files.createFile(folder.resolve("wanted"));
                assertThat(children(folder, 2))
                        .allSatisfy(pid -> assertThat(Affinity.cpus(cpusOf(pid))).hasSize(1));
            }

            assertThat(allowed(target)).containsExactly(before);
            assertThat(children(folder, 2))
                    .allSatisfy(pid -> assertThat(cpusOf(pid)).isEqualTo(before));
        }
    }

    /// Another process has the target's pid meanwhile.
    @Test
    void aProcessThatStartedAtAnotherTimeIsNotTouched() throws Exception {
        try (Target target = Victims.launch(Victims.jdks().getFirst(), dir, "sleep")) {
            String before = cpusOf(target.pid());
            List<Integer> cpus = Affinity.cpus(before);
            if (cpus.size() == 1) {
                return;
            }
            Process guard =
                    AffinityGuard.start(
                            Path.of("/usr/bin/setsid"),
                            target.pid(),
                            target.startTicks().orElseThrow() + "1",
                            String.valueOf(cpus.getFirst()),
                            Map.of(
                                    new TaskTree.Task(
                                            target.pid(), Long.toString(target.pid()), "1"),
                                    String.valueOf(cpus.getLast())));

            guard.getOutputStream().close();
            guard.waitFor();

            assertThat(allowed(target)).containsExactly(before);
        }
    }

    @Test
    void comparesCpuListsInKernelFormat() {
        assertThat(Affinity.asKernelWrites("0")).isEqualTo("0");
        assertThat(Affinity.asKernelWrites("0,1,2,5,7,8")).isEqualTo("0-2,5,7-8");
    }
}
