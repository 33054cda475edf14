package dev.jdyno.lab.planted;

/// Background work that lasts as long as the service.
interface Lasting {
    void run() throws InterruptedException;

    /// Starts the work in a daemon thread.
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
