package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.CannotStart;
import dev.jdyno.lab.service.ListenOptions;
import dev.jdyno.lab.service.Running;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;

/// A server without a framework: one thread per connection, the same bytes for each request. It
/// uses almost no CPU itself.
final class RawService implements Running {
    private static final int BACKLOG = 500;

    private final ServerSocket listener;
    private final CountDownLatch stopped = new CountDownLatch(1);

    private RawService(ServerSocket listener) {
        this.listener = listener;
    }

    /// @param answer status line, headers and body, as sent over the network
    static RawService start(ListenOptions listen, byte[] answer) {
        try {
            ServerSocket listener =
                    new ServerSocket(listen.port(), BACKLOG, InetAddress.getByName(listen.bind()));
            RawService service = new RawService(listener);
            daemon("raw-acceptor", () -> service.accept(answer));
            return service;
        } catch (IOException e) {
            throw CannotStart.listening(
                    listen.bind(), listen.port(), String.valueOf(e.getMessage()));
        }
    }

    private void accept(byte[] answer) {
        try {
            while (true) {
                Socket connection = listener.accept();
                daemon("raw-connection", () -> serve(connection, answer));
            }
        } catch (IOException closed) {
            stopped.countDown();
        }
    }

    private static void serve(Socket connection, byte[] answer) {
        try (connection) {
            InputStream in = new BufferedInputStream(connection.getInputStream());
            while (requestWasRead(in)) {
                connection.getOutputStream().write(answer);
            }
        } catch (IOException gone) {
            // the client disconnected during an answer
        }
    }

    /// Reads to the empty line after the headers; requests have no body.
    private static boolean requestWasRead(InputStream in) throws IOException {
        int ends = 0;
        while (ends < 2) {
            int next = in.read();
            if (next < 0) {
                return false;
            }
            ends = next == '\n' ? ends + 1 : next == '\r' ? ends : 0;
        }
        return true;
    }

    private static void daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public int port() {
        return listener.getLocalPort();
    }

    @Override
    public void await() throws InterruptedException {
        stopped.await();
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new IllegalStateException("the listener did not close", e);
        }
    }
}
