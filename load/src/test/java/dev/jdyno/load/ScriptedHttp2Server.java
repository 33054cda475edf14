package dev.jdyno.load;

import dev.jdyno.load.http2.Http2Frames;
import dev.jdyno.load.request.Body;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/// An HTTP/2 server over plain TCP that a test scripts frame by frame, with one thread per
/// connection. It has no HPACK: header blocks are bytes.
public final class ScriptedHttp2Server implements AutoCloseable {
    /// `:status: 200` from the static table.
    static final byte[] STATUS_200 = {(byte) 0x88};

    private static final int PREFACE_BYTES = 24;

    /// A received frame.
    public record Frame(int type, int flags, int stream, Body payload) {}

    /// Answers the frames of one connection.
    public interface Script {
        /// @param number of the request on its connection, from 1; 0 for frames that do not end a
        ///   request
        void on(Frame frame, int number, Peer peer) throws IOException;
    }

    /// Sends frames to the client.
    public static final class Peer {
        private final OutputStream out;
        private final Socket socket;

        private Peer(Socket socket) throws IOException {
            this.socket = socket;
            this.out = socket.getOutputStream();
        }

        public void frame(int type, int flags, int stream, byte... payload) throws IOException {
            out.write(bytes(type, flags, stream, payload));
        }

        public void raw(byte[] bytes) throws IOException {
            out.write(bytes);
        }

        /// A reply of two bytes.
        public void ok(int stream) throws IOException {
            raw(okBytes(stream));
        }

        public void close() throws IOException {
            socket.close();
        }
    }

    public final AtomicInteger connections = new AtomicInteger();
    public final Queue<Frame> frames = new ConcurrentLinkedQueue<>();

    private final ServerSocket listener;
    private final byte[] settings;
    private final Script script;

    /// @param settings payload of the server's first frame
    public ScriptedHttp2Server(byte[] settings, Script script) throws IOException {
        this.settings = settings;
        this.script = script;
        this.listener = new ServerSocket(0, 128, InetAddress.ofLiteral("127.0.0.1"));
        Thread.ofPlatform().daemon().start(this::accept);
    }

    public static byte[] okBytes(int stream) {
        var all = new ByteArrayOutputStream();
        all.writeBytes(bytes(Http2Frames.HEADERS, Http2Frames.END_HEADERS, stream, STATUS_200));
        all.writeBytes(bytes(Http2Frames.DATA, Http2Frames.END_STREAM, stream, new byte[2]));
        return all.toByteArray();
    }

    public static byte[] bytes(int type, int flags, int stream, byte[] payload) {
        var all = new ByteArrayOutputStream();
        int n = payload.length;
        all.writeBytes(new byte[] {(byte) (n >> 16), (byte) (n >> 8), (byte) n});
        all.writeBytes(new byte[] {(byte) type, (byte) flags});
        all.writeBytes(integer(stream));
        all.writeBytes(payload);
        return all.toByteArray();
    }

    static byte[] integer(int v) {
        return new byte[] {(byte) (v >> 24), (byte) (v >> 16), (byte) (v >> 8), (byte) v};
    }

    static byte[] setting(int id, int value) {
        var all = new ByteArrayOutputStream();
        all.writeBytes(new byte[] {(byte) (id >> 8), (byte) id});
        all.writeBytes(integer(value));
        return all.toByteArray();
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort() + "/");
    }

    /// Number of received frames of a type.
    public long count(int type) {
        return frames.stream().filter(f -> f.type == type).count();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                connections.incrementAndGet();
                Thread.ofPlatform().daemon().start(() -> serve(socket));
            } catch (IOException e) {
                if (!listener.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            var in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            String preface = new String(in.readNBytes(PREFACE_BYTES), StandardCharsets.US_ASCII);
            if (preface.isEmpty()) {
                return; // the load ended while this connection was being made
            }
            if (!preface.equals("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")) {
                throw new IllegalStateException("not the preface: " + preface);
            }
            var peer = new Peer(socket);
            peer.frame(Http2Frames.SETTINGS, 0, 0, settings);
            int requests = 0;
            while (true) {
                byte[] head = in.readNBytes(Http2Frames.HEADER_BYTES);
                if (head.length < Http2Frames.HEADER_BYTES) {
                    return;
                }
                var payload = Body.of(in.readNBytes(Http2Frames.length(head, 0)));
                var frame = new Frame(head[3], head[4], Http2Frames.integer31(head, 5), payload);
                frames.add(frame);
                boolean ends =
                        frame.type <= Http2Frames.HEADERS
                                && (frame.flags & Http2Frames.END_STREAM) != 0;
                script.on(frame, ends ? ++requests : 0, peer);
            }
        } catch (SocketException | EOFException clientGone) {
            return; // the load ended
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
