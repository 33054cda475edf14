import java.util.Random;

/** One Random for all threads. */
class RandomShared {
    private static final Random RANDOM = new Random();

    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            long sum = 0;
            for (int i = 0; i < 10_000; i++) {
                sum += RANDOM.nextInt(100);
            }
            return "sum " + (sum > 0);
        });
    }
}
