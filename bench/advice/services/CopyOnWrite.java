import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

/** Writes into a copy-on-write list. */
class CopyOnWrite {
    private static final List<Integer> SEEN =
            new CopyOnWriteArrayList<>(IntStream.range(0, 20_000).boxed().toList());

    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            for (int i = 0; i < 20; i++) {
                SEEN.add(i);
                SEEN.remove(0);
            }
            return "seen " + SEEN.size();
        });
    }
}
