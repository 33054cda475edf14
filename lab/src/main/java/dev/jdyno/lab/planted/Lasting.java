package dev.jdyno.lab.planted;

/// Work beside the requests that lasts as long as the service.
interface Lasting {
    void run() throws InterruptedException;

    /// Starts it in a thread that does not keep the JVM alive.
    static void daemon(String name, Lasting work) {
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                work.run();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        },
                        name);
        thread.setDaemon(true);
        thread.start();
    }
}
