import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import java.util.concurrent.atomic.AtomicLong;

/** A cache whose values are loaded under its lock. */
class CacheLoad {
    private static final AtomicLong COUNT = new AtomicLong();
    private static final LoadingCache<String, String> CACHE =
            Caffeine.newBuilder().maximumSize(1_000).build(CacheLoad::load);

    static String load(String key) throws InterruptedException {
        Thread.sleep(10);
        return "settings of " + key;
    }

    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            return CACHE.get("tenant " + COUNT.incrementAndGet() / 8);
        });
    }
}
