package dev.jdyno.lab.service;

import io.undertow.Undertow;
import io.undertow.server.HttpHandler;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;

/// A running Undertow server.
public final class UndertowService implements Running {
    private final Undertow undertow;
    private final CountDownLatch stopped = new CountDownLatch(1);

    private UndertowService(Undertow undertow) {
        this.undertow = undertow;
    }

    public static UndertowService start(
            ListenOptions listen, int ioThreads, int workerThreads, HttpHandler handler) {
        Undertow undertow =
                Undertow.builder()
                        .addHttpListener(listen.port(), listen.bind())
                        .setIoThreads(ioThreads)
                        .setWorkerThreads(workerThreads)
                        .setHandler(handler)
                        .build();
        try {
            undertow.start();
        } catch (RuntimeException e) {
            throw CannotStart.listening(
                    listen.bind(), listen.port(), String.valueOf(e.getMessage()));
        }
        return new UndertowService(undertow);
    }

    @Override
    public int port() {
        return ((InetSocketAddress) undertow.getListenerInfo().get(0).getAddress()).getPort();
    }

    @Override
    public void await() throws InterruptedException {
        stopped.await();
    }

    @Override
    public void close() {
        undertow.stop();
        stopped.countDown();
    }
}
