package dev.jdyno.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/// Network namespaces that act as hosts. Each has its own address and a cable to one switch in
/// another namespace. The machine's own network does not see them. They are removed when this
/// object is closed or the test's JVM ends.
///
/// Processes of all hosts share the file system and the process ids of the machine.
public final class NetworkHosts implements AutoCloseable {
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final long LIMIT_SECONDS = 300;

    private final String prefix =
            "jdyno" + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet();
    private final Map<String, String> addresses = new LinkedHashMap<>();
    private final List<Process> started = new ArrayList<>();
    private final Thread atEnd = Thread.ofPlatform().unstarted(this::takeDown);

    private NetworkHosts() {}

    /// Creates the hosts. The test is skipped if the machine does not allow that.
    public static NetworkHosts of(String... names) throws IOException, InterruptedException {
        assumeTrue(isRoot(), "skipped: network namespaces need root");
        assumeTrue(
                Stream.of("/usr/sbin/ip", "/sbin/ip").map(Path::of).anyMatch(Files::isExecutable),
                "skipped: network namespaces need ip (apt-get install iproute2)");
        var hosts = new NetworkHosts();
        Runtime.getRuntime().addShutdownHook(hosts.atEnd);
        try {
            boolean allowed = hosts.run(List.of("ip", "netns", "add", hosts.inSwitch())).isEmpty();
            assumeTrue(allowed, "skipped: no network namespace can be made here");
            hosts.wire(names);
            return hosts;
        } catch (IOException | InterruptedException | RuntimeException | Error notMade) {
            hosts.close();
            throw notMade;
        }
    }

    private static boolean isRoot() throws IOException {
        return Files.readString(Path.of("/proc/self/status")).contains("\nUid:\t0\t");
    }

    private String inSwitch() {
        return prefix + "-sw";
    }

    /// Name of the network namespace of a host.
    private String namespace(String host) {
        assertThat(addresses).containsKey(host);
        return prefix + "-" + host;
    }

    private void wire(String... names) throws IOException, InterruptedException {
        must("ip", "-n", inSwitch(), "link", "add", "br0", "type", "bridge");
        must("ip", "-n", inSwitch(), "link", "set", "br0", "up");
        for (String name : names) {
            int number = addresses.size() + 1;
            addresses.put(name, "10.77.0." + number);
            String space = namespace(name);
            String port = "p" + number;
            must("ip", "netns", "add", space);
            must(
                    "ip",
                    "-n",
                    space,
                    "link",
                    "add",
                    "eth0",
                    "type",
                    "veth",
                    "peer",
                    "name",
                    port,
                    "netns",
                    inSwitch());
            must("ip", "-n", inSwitch(), "link", "set", port, "master", "br0", "up");
            must("ip", "-n", space, "address", "add", address(name) + "/24", "dev", "eth0");
            must("ip", "-n", space, "link", "set", "lo", "up");
            must("ip", "-n", space, "link", "set", "eth0", "up");
        }
    }

    public String address(String host) {
        String address = addresses.get(host);
        assertThat(address).as("address of %s", host).isNotNull();
        return String.valueOf(address);
    }

    /// Starts a command on a host. It is killed when this object is closed.
    public Process start(String host, Path output, List<String> command) throws IOException {
        List<String> words = new ArrayList<>(List.of("ip", "netns", "exec", namespace(host)));
        words.addAll(command);
        Process process =
                new ProcessBuilder(words)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        started.add(process);
        return process;
    }

    /// Delays all packets that the host sends and drops some of them. Packets from or to the given
    /// port, the service's own traffic, are not affected.
    ///
    /// @return false if the kernel cannot do that (no netem)
    public boolean slowBut(String host, int port, Duration delay, double lossPercent)
            throws IOException, InterruptedException {
        List<String> qdisc = List.of("tc", "-n", namespace(host), "qdisc");
        // all packets go to the third band, which is slow, unless a filter selects another one
        String bands = "replace dev eth0 root handle 1: prio priomap " + "2 ".repeat(16).strip();
        String slow =
                "replace dev eth0 parent 1:3 handle 30: netem delay "
                        + delay.toMillis()
                        + "ms loss "
                        + lossPercent
                        + "%";
        for (String wanted : List.of(bands, slow)) {
            String said = run(List.of(words(qdisc, wanted)));
            if (said.contains("qdisc kind is unknown")) {
                return false;
            }
            assertThat(said).as(wanted).isEmpty();
        }
        for (String end : List.of("sport", "dport")) {
            must(
                    words(
                            List.of("tc", "-n", namespace(host), "filter"),
                            "add dev eth0 parent 1: protocol ip u32 match ip "
                                    + end
                                    + " "
                                    + port
                                    + " 0xffff flowid 1:1"));
        }
        return true;
    }

    private static String[] words(List<String> first, String more) {
        return Stream.concat(first.stream(), Stream.of(more.split(" "))).toArray(String[]::new);
    }

    /// Connects or disconnects the host's cable.
    public void connected(String host, boolean wanted) throws IOException, InterruptedException {
        must("ip", "-n", namespace(host), "link", "set", "eth0", wanted ? "up" : "down");
    }

    private void must(String... command) throws IOException, InterruptedException {
        assertThat(run(List.of(command))).as(Arrays.toString(command)).isEmpty();
    }

    /// @return its error output; empty if it succeeded
    private String run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
        return ended && process.exitValue() == 0 ? "" : "failed: " + said;
    }

    private void takeDown() {
        started.forEach(p -> {
            p.descendants().forEach(ProcessHandle::destroyForcibly);
            p.destroyForcibly();
        });
        List<String> spaces =
                new ArrayList<>(addresses.keySet().stream().map(this::namespace).toList());
        spaces.add(inSwitch());
        for (String space : spaces) {
            try {
                String _ = run(List.of("ip", "netns", "delete", space));
            } catch (IOException e) {
                throw new IllegalStateException("cannot remove namespace " + space, e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        takeDown();
        Runtime.getRuntime().removeShutdownHook(atEnd);
    }
}
