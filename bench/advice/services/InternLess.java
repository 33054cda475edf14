/** Interns the texts of each request. */
class InternLess {
    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            int sum = 0;
            for (int i = 0; i < 1_000; i++) {
                sum += ("customer " + i).intern().length();
            }
            return "sum " + sum;
        });
    }
}
