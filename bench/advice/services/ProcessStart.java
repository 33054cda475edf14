/** Starts a process in each request. */
class ProcessStart {
    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            return "ended with " + new ProcessBuilder("true").start().waitFor();
        });
    }
}
