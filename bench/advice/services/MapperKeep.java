import tools.jackson.databind.ObjectMapper;

/** Makes an ObjectMapper in each request. */
class MapperKeep {
    public record Order(int id, String customer, double total) {}

    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            StringBuilder page = new StringBuilder();
            for (int i = 0; i < 5; i++) {
                page.append(new ObjectMapper().writeValueAsString(new Order(i, "customer", 1.5)));
            }
            return page.toString();
        });
    }
}
