import java.util.Map;
import tools.jackson.databind.ObjectMapper;

/** Converts objects by way of JSON. */
class JsonTwice {
    public record Order(int id, String customer, double total) {}

    private static final ObjectMapper MAPPER = new ObjectMapper();

    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            int sum = 0;
            for (int i = 0; i < 100; i++) {
                sum +=
                        MAPPER.convertValue(
                                        Map.of("id", i, "customer", "c", "total", 1.5), Order.class)
                                .id();
            }
            return "sum " + sum;
        });
    }
}
