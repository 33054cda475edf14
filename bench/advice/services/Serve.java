import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/** The JDK's own server, in front of the one fault of a service. */
final class Serve {
    static final int THREADS = 16;

    /** What a request does. */
    interface Work {
        String reply() throws Exception;
    }

    private Serve() {}

    /** Prints `listening on PORT`, and answers each request with what the work returns. */
    static void with(Work work) throws IOException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 256);
        server.setExecutor(Executors.newFixedThreadPool(THREADS));
        server.createContext(
                "/",
                exchange -> {
                    int status = 200;
                    byte[] body;
                    try {
                        body = work.reply().getBytes(StandardCharsets.UTF_8);
                    } catch (Exception e) {
                        status = 500;
                        body = e.toString().getBytes(StandardCharsets.UTF_8);
                    }
                    try (exchange) {
                        exchange.sendResponseHeaders(status, body.length);
                        exchange.getResponseBody().write(body);
                    }
                });
        server.start();
        System.out.println("listening on " + server.getAddress().getPort());
    }
}
