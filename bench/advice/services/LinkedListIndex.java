import java.util.LinkedList;
import java.util.List;
import java.util.stream.IntStream;

/** Reads a LinkedList by its index. */
class LinkedListIndex {
    private static final List<Integer> VALUES =
            new LinkedList<>(IntStream.range(0, 1_500).boxed().toList());

    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            long sum = 0;
            for (int i = 0; i < VALUES.size(); i++) {
                sum += VALUES.get(i);
            }
            return "sum " + sum;
        });
    }
}
