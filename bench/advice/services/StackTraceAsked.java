/** Asks for the whole stack trace to know its caller. */
class StackTraceAsked {
    static int down(int depth) {
        return depth == 0 ? Thread.currentThread().getStackTrace().length : down(depth - 1) + 1;
    }

    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            int sum = 0;
            for (int i = 0; i < 40; i++) {
                sum += down(40);
            }
            return "frames " + sum;
        });
    }
}
