package dev.jdyno.instance;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;

/// A service whose requests take a fixed amount of CPU, and whose heap and direct buffers hold a
/// fixed amount of memory.
///
/// Arguments: port, steps of a request, MiB in the heap, MiB outside the heap.
final class CpuServer {
    private static final List<Object> HELD = new ArrayList<>();

    private CpuServer() {}

    public static void main(String... args) throws IOException {
        long steps = Long.parseLong(args[1]);
        for (int i = 0; i < Integer.parseInt(args[2]); i++) {
            HELD.add(new byte[1 << 20]);
        }
        for (int i = 0; i < Integer.parseInt(args[3]); i++) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
            for (int at = 0; at < buffer.capacity(); at += 4096) {
                buffer.put(at, (byte) 1);
            }
            HELD.add(buffer);
        }
        HttpServer server =
                HttpServer.create(
                        new InetSocketAddress(
                                InetAddress.getLoopbackAddress(), Integer.parseInt(args[0])),
                        200);
        server.createContext(
                "/",
                exchange -> {
                    byte[] body =
                            (burn(steps) + " " + HELD.size()).getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(200, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        server.setExecutor(Executors.newFixedThreadPool(16));
        server.start();
    }

    private static long burn(long steps) {
        long x = System.nanoTime() | 1;
        for (long i = 0; i < steps; i++) {
            // xorshift: a compiler cannot join several steps, as it can for x * a + b
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        return x;
    }
}
