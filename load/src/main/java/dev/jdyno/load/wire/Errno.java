package dev.jdyno.load.wire;

import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.FailureReason;

/// Converts an errno to the kind of error that is counted.
final class Errno {
    private Errno() {}

    static SocketFailure failure(String call, int errno) {
        boolean connecting = call.equals("connect") || call.equals("bind");
        return switch (errno) {
            case Kernel.ECONNREFUSED ->
                    new SocketFailure(ErrorKind.CONNECT_REFUSED, FailureReason.CONNECTION_REFUSED);
            case Kernel.ETIMEDOUT ->
                    new SocketFailure(
                            connecting ? ErrorKind.CONNECT_TIMEOUT : ErrorKind.TIMEOUT,
                            connecting
                                    ? FailureReason.CONNECTION_UNANSWERED
                                    : FailureReason.CONNECTION_SILENT);
            case Kernel.EADDRNOTAVAIL ->
                    new SocketFailure(ErrorKind.CONNECT_NO_PORT, FailureReason.NO_LOCAL_PORT);
            case Kernel.EMFILE, Kernel.ENFILE ->
                    new SocketFailure(ErrorKind.CONNECT_FAILED, FailureReason.NO_FILE_DESCRIPTOR);
            case Kernel.ECONNRESET, Kernel.EPIPE ->
                    new SocketFailure(
                            connecting ? ErrorKind.CONNECT_FAILED : ErrorKind.RESET,
                            FailureReason.CONNECTION_RESET);
            default ->
                    new SocketFailure(
                            connecting ? ErrorKind.CONNECT_FAILED : ErrorKind.RESET,
                            FailureReason.SYSTEM_CALL_FAILED,
                            call + " with errno " + errno);
        };
    }
}
