import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

/** Asks a concurrent queue for its size. */
class SizeCounts {
    private static final ConcurrentLinkedQueue<Integer> QUEUE =
            new ConcurrentLinkedQueue<>(IntStream.range(0, 20_000).boxed().toList());

    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            QUEUE.add(1);
            QUEUE.poll();
            int sum = 0;
            for (int i = 0; i < 20; i++) {
                sum += QUEUE.size();
            }
            return "sum " + (sum > 0);
        });
    }
}
