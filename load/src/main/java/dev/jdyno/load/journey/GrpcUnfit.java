package dev.jdyno.load.journey;

import dev.jdyno.load.wire.SocketFailure;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.FailureReason;

/// The values of a workload give a request that is no message of its method. This happens only with
/// values that are known at run time: the number of a user, or a value taken from a reply. All
/// others are checked before the load begins.
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

    // no stack trace: a wrong workload throws one of these per request
    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
