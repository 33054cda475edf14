package dev.jdyno.load.wire;

import dev.jdyno.measure.text.UserError;

/// Chooses the poller this system can have.
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

    /// The session names the transport it got, so that the fallback is not silent.
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
