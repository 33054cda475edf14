package dev.jdyno.observe.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.observe.sockets.Sockets.Loopback;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Addresses at which the service's metrics are searched, in order.
class MetricsPortsTest {
    @Test
    void portsOfDebuggerAndJmxAreNotSearched() {
        assertThat(
                        ServiceMetrics.inOrder(
                                on(5005, 9010, 9011, 8080, 8081),
                                8081,
                                List.of(
                                        "-agentlib:jdwp=transport=dt_socket,server=y,address=*:5005",
                                        "-Dcom.sun.management.jmxremote.port=9010",
                                        "-Dcom.sun.management.jmxremote.rmi.port=9011")))
                .extracting(Loopback::port)
                .containsExactly(8081, 8080);
        assertThat(ServiceMetrics.inOrder(on(8080), 9999, List.of()))
                .extracting(Loopback::port)
                .containsExactly(8080);
    }

    /// A search that takes cubic time would take hours for this flag.
    @Test
    @Timeout(300)
    void aHostileFlagIsReadInOnePass() {
        assertThat(
                        ServiceMetrics.inOrder(
                                on(5005, 5006, 5007, 8080),
                                8080,
                                List.of(
                                        "-Dx=" + "jdwpaddress=".repeat(17_000),
                                        "-Dx=jdwpaddress=" + ":".repeat(200_000),
                                        "-agentlib:jdwp=transport=dt_socket,address=[::1]:5005",
                                        "-Xrunjdwp:server=y,address=5006,suspend=n",
                                        "-Daddress=5007")))
                .extracting(Loopback::port)
                .containsExactly(8080, 5007);
    }

    private static Set<Loopback> on(int... ports) {
        return Arrays.stream(ports)
                .mapToObj(port -> new Loopback("127.0.0.1", port))
                .collect(Collectors.toSet());
    }

    @Test
    void queriesAtMostEightPortsFirstByIpv4() {
        Set<Loopback> many =
                IntStream.rangeClosed(1, 20)
                        .boxed()
                        .flatMap(port ->
                                Stream.of(
                                        new Loopback("[::1]", port),
                                        new Loopback("127.0.0.1", port)))
                        .collect(Collectors.toSet());

        List<Loopback> asked = ServiceMetrics.inOrder(many, 15, List.of());

        assertThat(asked).hasSize(16);
        assertThat(asked.subList(0, 3))
                .containsExactly(
                        new Loopback("127.0.0.1", 15),
                        new Loopback("[::1]", 15),
                        new Loopback("127.0.0.1", 1));
    }
}
