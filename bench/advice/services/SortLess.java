import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Sorts the whole list in each request. */
class SortLess {
    private static final List<String> NAMES =
            IntStream.range(0, 3_000).mapToObj(i -> "name " + i * 7_919L % 3_000).toList();

    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            List<String> names = new ArrayList<>(NAMES);
            names.sort(Comparator.reverseOrder());
            return names.getFirst();
        });
    }
}
