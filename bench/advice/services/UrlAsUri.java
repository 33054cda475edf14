import java.net.URI;
import java.net.URL;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** java.net.URL as the key of a map. */
class UrlAsUri {
    private static final AtomicLong COUNT = new AtomicLong();
    private static final Map<URL, String> ROUTES = new ConcurrentHashMap<>();

    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            return "of "
                    + ROUTES.get(
                            URI.create("http://host" + COUNT.incrementAndGet() + ".invalid/")
                                    .toURL());
        });
    }
}
