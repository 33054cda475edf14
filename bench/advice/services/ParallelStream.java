import java.util.stream.IntStream;

/** A parallel stream in each request. */
class ParallelStream {
    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            return "sum "
                    + IntStream.range(0, 100_000)
                            .parallel()
                            .mapToLong(i -> i % 7 * (long) i)
                            .filter(v -> v % 3 == 0)
                            .sum();
        });
    }
}
