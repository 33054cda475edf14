package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.target.Target;
import dev.jdyno.target.Victims;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ThreadsCommandTest {
    @TempDir Path dir;

    static List<Path> jdks() {
        return Victims.jdks();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void showsLockQueueWithOwnerIfRequested(Path jdk) throws Exception {
        try (Target target = Victims.launch(jdk, dir, "lock", "-Xmx64m")) {
            String pid = Long.toString(target.pid());

            CliOutput said = CliOutput.jdyno("threads", pid, "--duration", "300ms", "--dumps", "3");

            assertThat(said.code()).isZero();
            assertThat(said.out())
                    .contains("ReentrantLock", "--owners asks for it", "Busiest threads");

            CliOutput owners =
                    CliOutput.jdyno(
                            "threads",
                            pid,
                            // long enough for the holder to get a core on a busy machine
                            "--duration",
                            "3s",
                            "--dumps",
                            "10",
                            "--owners",
                            "--json");
            JsonNode document = JsonMapper.shared().readTree(owners.out());
            JsonNode queue = document.get("locks").get(0);
            assertThat(queue.get("waiters").size()).isGreaterThan(1);
            String holder = queue.get("holder").get("name").stringValue();
            assertThat(queue.get("waiters").toString()).doesNotContain("\"" + holder + "\"");
            assertThat(
                            StreamSupport.stream(document.get("busiest").spliterator(), false)
                                    .map(b -> b.get("name").stringValue()))
                    .as("the holder burns CPU")
                    .contains(holder);
            assertThat(document.get("deadlocks").size()).isZero();
        }
    }

    /// Stacks do not show the owners of a `ReentrantLock`. The JVM names them here because they are
    /// deadlocked.
    @ParameterizedTest
    @MethodSource("jdks")
    void showsDeadlockOfConcurrentLocksWithBothHolders(Path jdk) throws Exception {
        try (Target target = Victims.launch(jdk, dir, "deadlock", "-Xmx64m")) {
            String pid = Long.toString(target.pid());

            CliOutput said =
                    CliOutput.jdyno(
                            "threads", pid, "--duration", "300ms", "--dumps", "3", "--json");

            JsonNode document = JsonMapper.shared().readTree(said.out());
            assertThat(document.get("deadlocks").size()).isEqualTo(1);
            assertThat(document.at("/deadlocks/0/threads").size()).isEqualTo(2);
            assertThat(document.get("locks").size()).isEqualTo(2);
            document.get("locks")
                    .forEach(lock -> {
                        assertThat(document.at("/deadlocks/0/threads").toString())
                                .contains(lock.at("/holder/name").stringValue());
                        assertThat(lock.at("/holder/waitsFor").stringValue())
                                .contains("ReentrantLock");
                    });
            assertThat(document.at("/census/busy").toString())
                    .contains("lock: java.util.concurrent.locks.ReentrantLock")
                    .doesNotContain("probably");
        }
    }

    @Test
    void everyMistakeIsNamedAtOnce() {
        CliOutput said =
                CliOutput.jdyno(
                        "threads", "1", "--duration", "soon", "--dumps", "0", "--top", "-1");

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("3 mistakes", "--duration", "--dumps", "--top");
    }
}
