package dev.jdyno.load.journey;

import dev.jdyno.load.wire.SocketFailure;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.FailureReason;

/// The values of a workload give a request that is not a valid message of its method. Only values
/// known at run time cause this error: the number of a user, or a value from a reply. All other
/// values are checked before the load starts.
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

    // no stack trace, because a wrong workload throws this exception for each request
    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
