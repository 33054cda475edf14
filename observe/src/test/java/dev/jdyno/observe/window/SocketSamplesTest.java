package dev.jdyno.observe.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.target.ProcFs;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import org.junit.jupiter.api.Test;

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
}
