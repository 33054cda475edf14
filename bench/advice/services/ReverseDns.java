import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicLong;

/** Asks for the name of its client's address. */
class ReverseDns {
    private static final AtomicLong COUNT = new AtomicLong();

    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            long n = COUNT.incrementAndGet();
            return InetAddress.getByAddress(
                            new byte[] {10, (byte) (n >> 16), (byte) (n >> 8), (byte) n})
                    .getCanonicalHostName();
        });
    }
}
