package dev.jdyno.lab.downstream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/// One client connection, which handles at most one request at a time.
final class Connection {
    /// Maximum length of a request head; a longer one closes the connection.
    private static final int HEAD_MAX = 8192;

    private static final ByteBuffer BODY = ByteBuffer.allocateDirect(1 << 16).asReadOnlyBuffer();

    private final SocketChannel socket;
    private final SelectionKey key;
    private final ByteBuffer in = ByteBuffer.allocateDirect(HEAD_MAX);
    private final ByteBuffer out = ByteBuffer.allocateDirect(256);
    private final byte[] head = new byte[HEAD_MAX];
    private Request request = Request.NONE;
    private boolean busy;
    private int bodyLeft;

    /// Time at which the current request is to be answered, on the clock of [System#nanoTime].
    long dueNanos;

    Connection(SocketChannel socket, SelectionKey key) {
        this.socket = socket;
        this.key = key;
        out.limit(0);
    }

    void read() {
        try {
            if (socket.read(in) < 0 || !in.hasRemaining()) {
                socket.close();
            }
        } catch (IOException e) {
            drop();
        }
    }

    /// Takes the next request from the bytes read so far and makes it current. Returns false if no
    /// request is complete.
    boolean takeRequest() {
        if (busy || !socket.isOpen()) {
            return false;
        }
        int end = headEnd();
        if (end == 0) {
            return false;
        }
        in.flip();
        in.get(head, 0, end);
        in.compact();
        request = Request.parse(new String(head, 0, end, StandardCharsets.ISO_8859_1));
        busy = true;
        return true;
    }

    long delayNanos() {
        return request.delayNanos();
    }

    /// Writes the answer to the current request, which ends it.
    void answer() {
        bodyLeft = request.bodyBytes();
        out.clear();
        out.put(request.answerHead().getBytes(StandardCharsets.ISO_8859_1)).flip();
        write();
    }

    void write() {
        if (!busy) {
            return;
        }
        try {
            while (out.hasRemaining() || bodyLeft > 0) {
                int wrote = out.hasRemaining() ? writeHead() : writeBody();
                if (wrote == 0) {
                    key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
                    return;
                }
            }
            key.interestOps(SelectionKey.OP_READ);
            busy = false;
            if (!request.keepAlive()) {
                socket.close();
            }
        } catch (IOException e) {
            drop();
        }
    }

    /// Writes the head, together with a small body: one packet, one system call.
    private int writeHead() throws IOException {
        if (bodyLeft > 0 && bodyLeft <= out.capacity() - out.limit()) {
            int end = out.limit();
            out.limit(end + bodyLeft).put(end, BODY, 0, bodyLeft);
            bodyLeft = 0;
        }
        return socket.write(out);
    }

    private int writeBody() throws IOException {
        ByteBuffer part = BODY.duplicate();
        part.limit(Math.min(bodyLeft, part.capacity()));
        int wrote = socket.write(part);
        bodyLeft -= wrote;
        return wrote;
    }

    /// Length of the first request head in the buffer, with its blank line; 0 if it is incomplete.
    private int headEnd() {
        for (int i = 3; i < in.position(); i++) {
            if (in.get(i) == '\n'
                    && in.get(i - 1) == '\r'
                    && in.get(i - 2) == '\n'
                    && in.get(i - 3) == '\r') {
                return i + 1;
            }
        }
        return 0;
    }

    /// Closes the connection after the client went away, which is no error.
    private void drop() {
        try {
            socket.close();
        } catch (IOException e) {
            System.err.println("cannot close a connection: " + e.getMessage());
        }
    }
}
