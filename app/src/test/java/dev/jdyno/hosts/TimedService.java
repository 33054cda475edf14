package dev.jdyno.hosts;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/// A service on another host, `HOST PORT`, that prints the time at which each request reached it.
/// The time is from the machine's monotonic clock, which all processes share on Linux.
public final class TimedService {
    private static final long WORK_MS = 5;

    private TimedService() {}

    public static void main(String[] args) throws IOException {
        HttpServer server =
                HttpServer.create(
                        new InetSocketAddress(
                                InetAddress.getByName(args[0]), Integer.parseInt(args[1])),
                        100);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext(
                "/",
                exchange -> {
                    System.out.println(System.nanoTime());
                    try {
                        // sleeps: the response time of this page
                        Thread.sleep(WORK_MS);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    exchange.sendResponseHeaders(204, -1);
                    exchange.close();
                });
        server.start();
        System.out.println("listening");
    }
}
