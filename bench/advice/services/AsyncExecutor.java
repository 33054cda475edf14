import java.util.concurrent.CompletableFuture;

/** What waits runs in the common pool. */
class AsyncExecutor {
    static String ask() {
        try {
            Thread.sleep(10);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return "price";
    }

    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            return CompletableFuture.supplyAsync(AsyncExecutor::ask).get();
        });
    }
}
