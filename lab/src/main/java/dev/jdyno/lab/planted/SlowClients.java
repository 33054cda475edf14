package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.ListenOptions;
import dev.jdyno.lab.service.Services;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Requests large answers continuously and reads them slowly, like phones on a bad network. It does
/// not listen on any port.
@Command(name = "slow-clients", description = "Asks for large answers and reads them slowly.")
public final class SlowClients implements Callable<Integer> {
    private static final int READS_PER_SECOND = 50;

    /// Receive buffer of a connection: unread data stays on the server.
    private static final int RECEIVE_BUFFER = 16 << 10;

    private static final byte[] REQUEST =
            "GET /?large=true HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    @Mixin private ListenOptions listen = new ListenOptions();

    @Option(names = "--to", required = true, description = "Port of the service.")
    private int to;

    @Option(names = "--connections", required = true, description = "Answers asked for at once.")
    private int connections;

    @Option(names = "--rate", required = true, description = "Kilobytes a second of each.")
    private int rate;

    public static void main(String... args) {
        Services.main(new SlowClients(), args);
    }

    @Override
    public Integer call() throws InterruptedException {
        CountDownLatch refused = new CountDownLatch(connections);
        for (int i = 0; i < connections; i++) {
            new Thread(() -> ask(refused), "slow-client-" + i).start();
        }
        Services.listening(listen, 0);
        refused.await();
        return 0;
    }

    private void ask(CountDownLatch refused) {
        try {
            while (true) {
                readSlowly();
            }
        } catch (IOException serviceIsGone) {
            refused.countDown();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void readSlowly() throws IOException, InterruptedException {
        byte[] part = new byte[rate * 1024 / READS_PER_SECOND];
        try (Socket socket = new Socket()) {
            socket.setReceiveBufferSize(RECEIVE_BUFFER);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), to));
            socket.getOutputStream().write(REQUEST);
            InputStream in = socket.getInputStream();
            while (in.readNBytes(part, 0, part.length) > 0) {
                Thread.sleep(1000 / READS_PER_SECOND);
            }
        }
    }
}
