package dev.jdyno.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The network namespaces that other tests use as hosts.
class NetworkHostsTest {
    private static final List<Path> NAMESPACES =
            List.of(Path.of("/run/netns"), Path.of("/var/run/netns"));

    @TempDir private Path folder;

    /// True if a connection from one host to a port of the other is refused, because only a
    /// reachable host can refuse it.
    private boolean reaches(NetworkHosts hosts, String from, String to)
            throws IOException, InterruptedException {
        Path output = folder.resolve("reached");
        // Bash opens the connection itself. A port without a listener refuses it at once.
        String connect = "exec 3<>/dev/tcp/" + hosts.address(to) + "/9";
        Process tried = hosts.start(from, output, List.of("timeout", "10", "bash", "-c", connect));
        assertThat(tried.waitFor(5, TimeUnit.MINUTES)).isTrue();
        return Files.readString(output).contains("refused");
    }

    @Test
    void hostsReachEachOtherUntilACableIsPulled() throws IOException, InterruptedException {
        try (var hosts = NetworkHosts.of("app", "run")) {
            assertThat(reaches(hosts, "run", "app")).isTrue();
            hosts.connected("app", false);
            assertThat(reaches(hosts, "run", "app")).isFalse();
            hosts.connected("app", true);
            assertThat(reaches(hosts, "run", "app")).isTrue();
        }
    }

    @Test
    void leavesNoNetworkNamespace() throws IOException, InterruptedException {
        String mine = "jdyno" + ProcessHandle.current().pid() + "-";
        try (var _ = NetworkHosts.of("app")) {
            assertThat(namespaces(mine)).hasSize(2);
        }
        assertThat(namespaces(mine)).isEmpty();
    }

    private static List<String> namespaces(String prefix) throws IOException {
        for (Path folder : NAMESPACES) {
            if (Files.isDirectory(folder)) {
                try (var names = Files.list(folder)) {
                    return names.map(n -> String.valueOf(n.getFileName()))
                            .filter(n -> n.startsWith(prefix))
                            .toList();
                }
            }
        }
        return List.of();
    }
}
