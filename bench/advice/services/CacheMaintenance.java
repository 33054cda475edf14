import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.concurrent.atomic.AtomicLong;

/** A cache that is too small for its keys. */
class CacheMaintenance {
    private static final AtomicLong COUNT = new AtomicLong();
    private static final Cache<Long, Long> CACHE =
            Caffeine.newBuilder().maximumSize(100).executor(Runnable::run).build();

    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            long sum = 0;
            for (int i = 0; i < 200; i++) {
                long key = COUNT.incrementAndGet();
                CACHE.put(key, key);
                sum += key;
            }
            return "sum " + (sum > 0);
        });
    }
}
