import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/** One synchronized map for all requests. */
class SynchronizedMap {
    private static final Map<String, Long> PRICES = Collections.synchronizedMap(new HashMap<>());

    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            long sum = 0;
            for (int i = 0; i < 1_000; i++) {
                sum += PRICES.merge("article " + i % 100, 1L, Long::sum);
            }
            return "sum " + sum;
        });
    }
}
