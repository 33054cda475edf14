package dev.jdyno.load.wire;

/// Turns an errno into the kind of error that counts.
final class Errno {
    private Errno() {}

    static SocketFailure failure(String call, int errno) {
        boolean connecting = call.equals("connect") || call.equals("bind");
        return switch (errno) {
            case Kernel.ECONNREFUSED ->
                    new SocketFailure(ErrorKind.CONNECT_REFUSED, "connection refused");
            case Kernel.ETIMEDOUT ->
                    new SocketFailure(
                            connecting ? ErrorKind.CONNECT_TIMEOUT : ErrorKind.TIMEOUT,
                            "the kernel gave up on the connection");
            case Kernel.EADDRNOTAVAIL ->
                    new SocketFailure(
                            ErrorKind.CONNECT_NO_PORT, "no free local port towards this address");
            case Kernel.EMFILE, Kernel.ENFILE ->
                    new SocketFailure(ErrorKind.CONNECT_FAILED, "no free file descriptor");
            case Kernel.ECONNRESET, Kernel.EPIPE ->
                    new SocketFailure(
                            connecting ? ErrorKind.CONNECT_FAILED : ErrorKind.RESET,
                            "connection reset by the server");
            default ->
                    new SocketFailure(
                            connecting ? ErrorKind.CONNECT_FAILED : ErrorKind.RESET,
                            call + " failed with errno " + errno);
        };
    }
}
