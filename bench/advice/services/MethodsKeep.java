/** Looks up a method by its name for each field. */
class MethodsKeep {
    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            int sum = 0;
            for (int i = 0; i < 300; i++) {
                sum +=
                        (int)
                                String.class
                                        .getMethod(i % 2 == 0 ? "length" : "hashCode")
                                        .invoke("page");
            }
            return "sum " + sum;
        });
    }
}
