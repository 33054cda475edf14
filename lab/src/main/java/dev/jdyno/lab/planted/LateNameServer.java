package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.CannotStart;
import java.io.Closeable;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/// A name server that knows no names and answers late.
final class LateNameServer implements Closeable {
    /// Maximum length of a question over UDP (RFC 1035, 2.3.4).
    private static final int QUESTION_MAX = 512;

    private static final int FLAGS_HIGH = 2;
    private static final int FLAGS_LOW = 3;
    private static final int ADDITIONAL_LOW = 11;

    private final DatagramSocket socket;
    private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
    private final int delayMillis;

    private LateNameServer(DatagramSocket socket, int delayMillis) {
        this.socket = socket;
        this.delayMillis = delayMillis;
    }

    static LateNameServer start(int port, int delayMillis) {
        try {
            DatagramSocket socket = new DatagramSocket(port, InetAddress.getLoopbackAddress());
            LateNameServer server = new LateNameServer(socket, delayMillis);
            Thread thread = new Thread(server::serve, "name-server");
            thread.setDaemon(true);
            thread.start();
            return server;
        } catch (SocketException e) {
            throw CannotStart.listening("127.0.0.1", port, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void close() {
        socket.close();
        later.shutdownNow();
    }

    private void serve() {
        try {
            while (!socket.isClosed()) {
                DatagramPacket question = new DatagramPacket(new byte[QUESTION_MAX], QUESTION_MAX);
                socket.receive(question);
                ScheduledFuture<?> unused =
                        later.schedule(() -> refuse(question), delayMillis, TimeUnit.MILLISECONDS);
            }
        } catch (IOException e) {
            if (!socket.isClosed()) {
                System.err.println("name server: " + e);
            }
        }
    }

    /// Sends the question back as the answer that the name does not exist.
    private void refuse(DatagramPacket question) {
        byte[] message = question.getData();
        message[FLAGS_HIGH] = (byte) 0x81;
        message[FLAGS_LOW] = (byte) 0x83;
        message[ADDITIONAL_LOW] = 0;
        try {
            socket.send(
                    new DatagramPacket(
                            message, questionLength(message), question.getSocketAddress()));
        } catch (IOException e) {
            System.err.println("name server: " + e);
        }
    }

    /// Length of a question: a header of 12 bytes, the labels of the name, an empty label, type and
    /// class.
    private static int questionLength(byte[] message) {
        int at = 12;
        while (message[at] != 0) {
            at += message[at] + 1;
        }
        return at + 5;
    }
}
