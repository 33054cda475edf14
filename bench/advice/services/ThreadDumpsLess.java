/** A health check that takes a thread dump. */
class ThreadDumpsLess {
    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            return "threads " + Thread.getAllStackTraces().size();
        });
    }
}
