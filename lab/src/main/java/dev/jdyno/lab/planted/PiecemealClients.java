package dev.jdyno.lab.planted;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Keep-alive connections to the downstream that write a request in pieces without TCP_NODELAY.
final class PiecemealClients implements Closeable {
    private final ConcurrentLinkedQueue<Socket> idle = new ConcurrentLinkedQueue<>();
    private final int port;

    PiecemealClients(int port) {
        this.port = port;
    }

    void call(int pieces) throws IOException {
        Socket socket = idle.poll();
        if (socket == null) {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
        }
        OutputStream out = socket.getOutputStream();
        write(out, "GET /wait?ms=0&bytes=1 HTTP/1.1\r\n");
        for (int i = 1; i < pieces; i++) {
            write(out, "X-Piece-" + i + ": some header\r\n");
        }
        write(out, "\r\n");
        readAnswer(socket.getInputStream());
        idle.add(socket);
    }

    @Override
    public void close() throws IOException {
        for (Socket socket = idle.poll(); socket != null; socket = idle.poll()) {
            socket.close();
        }
    }

    private static void write(OutputStream out, String piece) throws IOException {
        out.write(piece.getBytes(StandardCharsets.US_ASCII));
    }

    /// Reads the head up to its empty line, and a body of one byte.
    private static void readAnswer(InputStream in) throws IOException {
        int ends = 0;
        while (ends < 2) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("the downstream closed the connection");
            }
            ends = next == '\n' ? ends + 1 : next == '\r' ? ends : 0;
        }
        if (in.read() < 0) {
            throw new IOException("an answer without a body");
        }
    }
}
