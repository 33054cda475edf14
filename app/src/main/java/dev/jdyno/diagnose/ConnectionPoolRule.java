package dev.jdyno.diagnose;

import dev.jdyno.measure.Bottleneck;
import dev.jdyno.measure.Cause;
import dev.jdyno.measure.Census;
import java.util.Optional;

/// Most busy threads wait to borrow from a pool whose connections are held by others: a wait as
/// {@link WaitRule} judges it, except for permits that nobody holds, which are a limiter's.
final class ConnectionPoolRule implements Rule {
    private static final WaitRule WAIT = WaitRule.connectionPool();

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.CONNECTION_POOL;
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        Optional<Census.Busy> top = evidence.top(Cause.POOL);
        boolean ofAClock =
                top.isPresent()
                        && RateLimitRule.isPermitOfAClock(
                                evidence.saturated().orElseThrow(), top.get());
        return ofAClock
                ? new Finding.Cleared(0.3, "nobody holds the permits that threads wait for")
                : WAIT.evaluate(evidence);
    }
}
