import org.apache.commons.lang3.builder.HashCodeBuilder;

/** hashCode by reflection. */
class ReflectiveObjects {
    record Order(int id, String customer, double total) {}

    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            int sum = 0;
            for (int i = 0; i < 300; i++) {
                sum += HashCodeBuilder.reflectionHashCode(new Order(i, "customer " + i, i * 0.5));
            }
            return "sum " + sum;
        });
    }
}
