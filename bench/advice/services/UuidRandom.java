import java.util.UUID;

/** Many random UUIDs. */
class UuidRandom {
    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            int sum = 0;
            for (int i = 0; i < 1_000; i++) {
                sum += UUID.randomUUID().version();
            }
            return "sum " + sum;
        });
    }
}
