import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** The JDK's server without an executor. */
class HttpServerExecutor {
    public static void main(String[] args) throws Exception {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 256);
        server.createContext(
                "/",
                exchange -> {
                    try (exchange) {
                        Thread.sleep(5);
                        exchange.sendResponseHeaders(200, 2);
                        exchange.getResponseBody().write(new byte[] {'o', 'k'});
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                });
        server.start();
        System.out.println("listening on " + server.getAddress().getPort());
    }
}
