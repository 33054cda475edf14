package dev.jdyno.compare;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// A service in a separate JVM with unusual behaviour when it starts, answers or ends. Its
/// arguments are pairs.
///
/// | argument | what it does |
/// | --- | --- |
/// | `--port N` | listens there; 0: anywhere |
/// | `--unready N` | answers so many requests with status 503 |
/// | `--path P` | answers 404 elsewhere |
/// | `--first MS` | takes so long for its first request |
/// | `--lock FILE` | does not start where another one holds the file |
/// | `--hook S` | takes so long to end |
/// | `--exec FLAG` | starts itself in another JVM with that flag, and waits for its end |
final class OddService {
    private static final List<RandomAccessFile> OPEN = new ArrayList<>();

    private OddService() {}

    public static void main(String[] args) throws Exception {
        List<String> words = new ArrayList<>(Arrays.asList(args));
        int exec = words.indexOf("--exec");
        if (exec >= 0) {
            String flag = words.get(exec + 1);
            words.subList(exec, exec + 2).clear();
            System.exit(child(flag, words));
        }
        lock(value(words, "--lock", ""));
        hook(Integer.parseInt(value(words, "--hook", "0")));
        serve(words);
    }

    private static String value(List<String> words, String name, String preset) {
        int at = words.indexOf(name);
        return at < 0 ? preset : words.get(at + 1);
    }

    private static int child(String flag, List<String> words) throws Exception {
        // sleeps: like a launcher that works for a moment before it starts the service
        TimeUnit.MILLISECONDS.sleep(500);
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                flag,
                                "-Xmx64m",
                                "-cp",
                                System.getProperty("java.class.path"),
                                OddService.class.getName()));
        command.addAll(words);
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }

    private static void lock(String file) throws IOException {
        if (file.isEmpty()) {
            return;
        }
        var open = new RandomAccessFile(file, "rw");
        // without a reference to the file, the collector would close it, which would end its lock
        OPEN.add(open);
        if (open.getChannel().tryLock() == null) {
            System.out.println("Database may be already in use: " + file);
            System.exit(1);
        }
    }

    private static void hook(int seconds) {
        if (seconds > 0) {
            Runtime.getRuntime()
                    .addShutdownHook(
                            new Thread(() -> {
                                try {
                                    // sleeps: like shutdown hooks that wait for the end of streams
                                    TimeUnit.SECONDS.sleep(seconds);
                                } catch (InterruptedException ended) {
                                    Thread.currentThread().interrupt();
                                }
                            }));
        }
    }

    private static void serve(List<String> words) throws IOException {
        int port = Integer.parseInt(value(words, "--port", "0"));
        var unready = new AtomicInteger(Integer.parseInt(value(words, "--unready", "0")));
        var first = new AtomicInteger(Integer.parseInt(value(words, "--first", "0")));
        String path = value(words, "--path", "/");
        HttpServer server =
                HttpServer.create(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 100);
        server.setExecutor(Executors.newFixedThreadPool(8));
        server.createContext(
                path,
                exchange -> {
                    try (exchange) {
                        int ms = first.getAndSet(0);
                        if (ms > 0) {
                            // sleeps: like a service that loads its classes at its first request
                            TimeUnit.MILLISECONDS.sleep(ms);
                        }
                        byte[] body = "odd\n".getBytes(StandardCharsets.US_ASCII);
                        exchange.getRequestBody().readAllBytes();
                        exchange.sendResponseHeaders(
                                unready.getAndDecrement() > 0 ? 503 : 200, body.length);
                        exchange.getResponseBody().write(body);
                    } catch (InterruptedException ended) {
                        Thread.currentThread().interrupt();
                    }
                });
        server.start();
    }
}
