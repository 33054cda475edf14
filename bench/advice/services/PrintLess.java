/** Prints to System.out, which has one lock. */
class PrintLess {
    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            for (int i = 0; i < 100; i++) {
                System.out.println("line " + i + " of this request");
            }
            return "printed";
        });
    }
}
