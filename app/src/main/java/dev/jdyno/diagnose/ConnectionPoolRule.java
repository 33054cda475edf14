package dev.jdyno.diagnose;

import dev.jdyno.measure.Bottleneck;
import dev.jdyno.measure.Cause;
import dev.jdyno.measure.Census;
import java.util.Optional;

/// Most busy threads wait to borrow from a pool whose connections are held by others: a wait as
/// {@link WaitRule} judges it, except for a semaphore's permits that are a limiter's.
final class ConnectionPoolRule implements Rule {
    /// A limit on concurrency and a pool differ by what the permits stand for, which no stack says.
    private static final double LIMITER_SUSPICION = 0.45;

    private static final WaitRule WAIT = WaitRule.connectionPool();

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.CONNECTION_POOL;
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        Optional<Census.Busy> top = evidence.top(Cause.POOL);
        return top.filter(RateLimitRule::isPermit).isPresent()
                ? new Finding.Cleared(
                        LIMITER_SUSPICION, "the permits that threads wait for are a limiter's")
                : WAIT.evaluate(evidence);
    }
}
