import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Loads slowly inside of computeIfAbsent. */
class ComputeIfAbsent {
    private static final AtomicLong COUNT = new AtomicLong();
    private static final Map<String, String> CACHE = new ConcurrentHashMap<>();

    static String load(String key) {
        try {
            Thread.sleep(10);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return "settings of " + key;
    }

    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            String key = "tenant " + COUNT.incrementAndGet() / 8;
            return CACHE.computeIfAbsent(key, k -> load(k));
        });
    }
}
