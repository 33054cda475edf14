import java.util.HashMap;
import java.util.Map;

/** A key whose hashCode is one value for all. */
class HashCodes {
    record Key(String name) {
        @Override
        public int hashCode() {
            return 1;
        }
    }

    private static final Map<Key, Integer> ORDERS = new HashMap<>();

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 300; i++) {
            ORDERS.put(new Key("customer " + i), i);
        }
        Serve.with(() -> {
            int found = 0;
            for (int i = 0; i < 100; i++) {
                found += ORDERS.containsKey(new Key("customer " + i)) ? 1 : 0;
            }
            return "found " + found;
        });
    }
}
