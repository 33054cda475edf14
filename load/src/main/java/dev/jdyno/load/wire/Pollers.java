package dev.jdyno.load.wire;

import dev.jdyno.measure.text.UserError;

/// Chooses the poller that this system supports.
public final class Pollers {
    private Pollers() {}

    public static Poller open(Transport transport) {
        return switch (transport) {
            case NIO -> new NioPoller();
            case EPOLL -> epoll();
            case AUTO -> isLinux() ? epollOrNio() : new NioPoller();
        };
    }

    private static boolean isLinux() {
        return System.getProperty("os.name", "").equals("Linux");
    }

    private static Poller epoll() {
        if (!isLinux()) {
            throw UserError.usage(
                    "there is no epoll here",
                    "this is not Linux",
                    "leave the transport out, or take nio");
        }
        try {
            return new EpollPoller();
        } catch (UnsupportedOperationException | ExceptionInInitializerError e) {
            throw UserError.usage(
                            "there is no epoll here",
                            "the kernel or libc lacks a call: " + reason(e),
                            "leave the transport out, or take nio")
                    .causedBy(e);
        }
    }

    /// Falls back to java.nio without an error. The session reports the transport it uses.
    private static Poller epollOrNio() {
        try {
            return new EpollPoller();
        } catch (UnsupportedOperationException
                | ExceptionInInitializerError
                | NoClassDefFoundError older) {
            return new NioPoller();
        }
    }

    private static String reason(Throwable e) {
        Throwable cause = e.getCause();
        return String.valueOf(cause == null ? e.getMessage() : cause.getMessage());
    }
}
