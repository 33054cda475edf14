import java.security.SecureRandom;

/** One SecureRandom for all threads. */
class RandomBytes {
    private static final SecureRandom RANDOM = new SecureRandom();

    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            byte[] token = new byte[64];
            for (int i = 0; i < 200; i++) {
                RANDOM.nextBytes(token);
            }
            return "bytes " + token.length;
        });
    }
}
