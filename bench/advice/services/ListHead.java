import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Takes elements from the head of an ArrayList. */
class ListHead {
    private static final List<Integer> VALUES = IntStream.range(0, 6_000).boxed().toList();

    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            List<Integer> work = new ArrayList<>(VALUES);
            long sum = 0;
            while (!work.isEmpty()) {
                sum += work.remove(0);
            }
            return "sum " + sum;
        });
    }
}
