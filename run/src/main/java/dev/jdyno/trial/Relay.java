package dev.jdyno.trial;

import dev.jdyno.driver.Forwarder;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/// A relay on loopback in front of the target's downstream. On demand it delays the data that the
/// target sends. It uses two virtual threads for each connection and does not inspect the data.
final class Relay implements AutoCloseable {
    private static final int BACKLOG = 1024;

    private final Forwarder forwarder;
    private volatile Duration delay = Duration.ZERO;

    private Relay(InetSocketAddress downstream) throws IOException {
        // the target gets a closed connection; without the relay, the connection would be refused
        forwarder = Forwarder.start("jdyno-relay", 0, BACKLOG, downstream, Delays::new, () -> {});
    }

    /// @throws UserError when it cannot listen
    static Relay inFrontOf(InetSocketAddress downstream) {
        try {
            return new Relay(downstream);
        } catch (IOException noPort) {
            throw UserError.target(
                            "the relay in front of " + downstream + " cannot listen",
                            String.valueOf(noPort.getMessage()),
                            "run without --relay")
                    .causedBy(noPort);
        }
    }

    /// Address to which the target has to connect: `127.0.0.1:40123`.
    String address() {
        InetSocketAddress at = forwarder.address();
        return at.getAddress().getHostAddress() + ":" + at.getPort();
    }

    /// Delays all data that the target sends from now on by this time.
    void delay(Duration later) {
        delay = later;
    }

    @Override
    public void close() {
        forwarder.close();
    }

    private final class Delays implements Forwarder.Watcher {
        @Override
        public void sent(byte[] bytes, int count) throws InterruptedException {
            if (delay.isPositive()) {
                Thread.sleep(delay);
            }
        }

        @Override
        public void answered(byte[] bytes, int count) {}

        @Override
        public void ended(boolean server) {}
    }
}
