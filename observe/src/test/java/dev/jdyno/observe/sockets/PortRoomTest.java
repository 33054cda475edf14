package dev.jdyno.observe.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PortRoomTest {
    @ParameterizedTest
    @CsvSource({
        "0, 127.0.0.1:8080, 5",
        "1, 10.0.0.7:8080, 300",
        "2, 10.0.0.7:8080, 5",
        "2, 127.0.0.1:8080, 300",
        "2, [::1]:8080, 300",
    })
    void portIsFreeAfterMinuteOrAfterSecondWithReuse(int reuse, String place, double perSecond) {
        assertThat(new EphemeralPorts(300, reuse).perSecond(place)).isEqualTo(perSecond);
    }

    @Test
    void readsBothSettingsAndOldKernelReusesNoPort(@TempDir Path ipv4) throws IOException {
        assertThat(EphemeralPorts.read(ipv4)).isEmpty();

        Files.writeString(ipv4.resolve("ip_local_port_range"), "40000\t40300\n");
        assertThat(EphemeralPorts.read(ipv4)).contains(new EphemeralPorts(301, 0));

        Files.writeString(ipv4.resolve("tcp_tw_reuse"), "2\n");
        assertThat(EphemeralPorts.read(ipv4)).contains(new EphemeralPorts(301, 2));
    }

    /// The network of this process, entered as that of another process, which only root may do.
    @Test
    void readsPortsInNetworkOfTarget() throws InterruptedException {
        Optional<EphemeralPorts> ours = EphemeralPorts.read(Path.of("/proc/sys/net/ipv4"));
        boolean root = "root".equals(System.getProperty("user.name"));

        assertThat(EphemeralPorts.inNetworkOf(ProcessHandle.current().pid()))
                .isEqualTo(root ? ours : Optional.empty());
    }
}
