package dev.jdyno.observe.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.target.ProcFs;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The connections of this JVM.
class SocketSamplesTest {
    /// A watch begins to look at a JVM before the service in it listens.
    @Test
    void portThatIsOpenedLaterHasNoCallsToItsClients() throws Exception {
        long pid = ProcessHandle.current().pid();
        var samples =
                new SocketSamples(
                        ProcFs.SYSTEM, pid, new SignalsProbe(ProcFs.SYSTEM, pid), Optional.empty());
        samples.look(NanoClock.SYSTEM);
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket served = server.accept()) {
            String address = "127.0.0.1:" + client.getLocalPort();
            assertThat(served.getPort()).isEqualTo(client.getLocalPort());
            samples.look(NanoClock.SYSTEM);

            assertThat(samples.calls(_ -> Optional.empty()))
                    .noneMatch(c -> c.peer().addresses().contains(address));
            assertThat(samples.last().downstreams())
                    .doesNotContainKey(address)
                    .containsKey("127.0.0.1:" + server.getLocalPort());
        }
    }

    @TempDir private Path proc;

    /// The kernel's count of dropped connections is of the whole network.
    @ParameterizedTest
    @CsvSource({
        "LISTENS, true",
        "LISTENS_NOT, false",
        "NOT_LISTED, true",
        "LISTED_BUT_NOT_READABLE, true"
    })
    void dropsOfTheNetworkAreOfATargetThatMayListen(Shown shown, boolean kept) throws Exception {
        Files.createDirectories(proc.resolve("7/net"));
        Files.writeString(
                proc.resolve("7/net/tcp"),
                """
                  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
                   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711
                """);
        if (shown != Shown.NOT_LISTED) {
            Path fd = Files.createDirectories(proc.resolve("7/fd")).resolve("3");
            switch (shown) {
                case LISTENS -> Files.createSymbolicLink(fd, Path.of("socket:[4711]"));
                case LISTENS_NOT -> Files.createSymbolicLink(fd, Path.of("socket:[4712]"));
                // a file that is no link cannot be read as one either
                default -> Files.createFile(fd);
            }
        }
        var fake = new ProcFs(proc);
        var samples = new SocketSamples(fake, 7, new SignalsProbe(fake, 7), Optional.empty());
        samples.look(NanoClock.SYSTEM);

        Signals seen =
                samples.ofTarget(
                        new Signals(Map.of(Sign.LISTEN_OVERFLOWS_PER_S, 50.0, Sign.FD_SHARE, 0.5)));

        assertThat(seen.of(Sign.LISTEN_OVERFLOWS_PER_S).isPresent()).isEqualTo(kept);
        assertThat(seen.of(Sign.FD_SHARE)).hasValue(0.5);
    }

    enum Shown {
        LISTENS,
        LISTENS_NOT,
        NOT_LISTED,
        LISTED_BUT_NOT_READABLE
    }
}
