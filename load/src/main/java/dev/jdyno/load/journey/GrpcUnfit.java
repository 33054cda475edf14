package dev.jdyno.load.journey;

import dev.jdyno.load.wire.SocketFailure;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.FailureReason;

/// The values of a workload give a request that is no message of its method. Only values that come
/// with a run do: the number of a user, what is taken from replies. All others are checked before.
public final class GrpcUnfit extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String why;

    GrpcUnfit(IllegalArgumentException cause) {
        super(cause);
        this.why = String.valueOf(cause.getMessage());
    }

    public SocketFailure failure() {
        return new SocketFailure(ErrorKind.CHECK, FailureReason.GRPC_REQUEST_INVALID, why);
    }

    // a wrong workload makes one per request
    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
