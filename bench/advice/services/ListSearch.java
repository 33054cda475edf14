import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Searches in a list instead of in a set. */
class ListSearch {
    private static final List<String> NAMES =
            new ArrayList<>(IntStream.range(0, 2_000).mapToObj(i -> "name " + i).toList());

    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            int found = 0;
            for (int i = 0; i < 200; i++) {
                found += NAMES.contains("name " + i * 10) ? 1 : 0;
            }
            return "found " + found;
        });
    }
}
