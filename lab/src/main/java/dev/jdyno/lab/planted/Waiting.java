package dev.jdyno.lab.planted;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/// Waits on the request's thread for the result of another thread.
final class Waiting {
    private Waiting() {}

    static String forResult(Future<String> future) throws IOException, InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        }
    }
}
