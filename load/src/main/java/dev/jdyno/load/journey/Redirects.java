package dev.jdyno.load.journey;

import dev.jdyno.load.reply.ReplyText;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.request.RequestParts;
import dev.jdyno.load.request.RequestText;
import dev.jdyno.load.statistics.Detours;
import dev.jdyno.load.wire.SocketFailure;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.FailureReason;
import dev.jdyno.measure.load.HttpUrl;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Wraps another script and follows the redirects of its requests, on the same server only. The
/// user asked for load on that server and on no other. All hops count as one request, whose latency
/// ends with the last reply. The time of each hop is also recorded.
public final class Redirects implements Script {
    private final Script inner;
    private final LoadSpec spec;
    private final int max;

    /// Buffer for heads of replies that the inner script does not need.
    private final ReplyText own = ReplyText.ofHead();

    private Optional<RequestParts> hop = Optional.empty();
    private int hops;
    private Optional<SocketFailure> failure = Optional.empty();

    public Redirects(Script inner, LoadSpec spec, int max) {
        this.inner = inner;
        this.spec = spec;
        this.max = max;
    }

    @Override
    public void arrived(long number) {
        inner.arrived(number);
    }

    @Override
    public byte[] next() {
        return hop.isPresent() ? spec.encode(hop.get()) : inner.next();
    }

    @Override
    public RequestParts parts() {
        return hop.orElseGet(inner::parts);
    }

    @Override
    public boolean isHead() {
        return hop.isPresent() ? hop.get().isHead() : inner.isHead();
    }

    @Override
    public ReplyText reply() {
        @Nullable ReplyText wanted = inner.reply();
        return wanted == null ? own : wanted;
    }

    @Override
    public int step() {
        return inner.step();
    }

    @Override
    public Judgement judge(int status) {
        Optional<String> location =
                Detours.isRedirect(status) ? reply().header("location") : Optional.empty();
        if (location.isEmpty()) {
            reset();
            Judgement judged = inner.judge(status);
            failure = inner.failure();
            return judged;
        }
        Optional<String> target = target(location.get());
        if (hops == max || target.isEmpty()) {
            failure =
                    Optional.of(
                            new SocketFailure(
                                    ErrorKind.REDIRECT,
                                    target.isEmpty()
                                            ? FailureReason.REDIRECT_ELSEWHERE
                                            : FailureReason.REDIRECTS_TOO_MANY,
                                    "to " + location.get()));
            failed();
            return Judgement.REDIRECT_FAILED;
        }
        hop = Optional.of(parts().redirected(status, target.get()));
        hops++;
        return Judgement.REDIRECTED;
    }

    /// Path and query of the target; empty if it is on another server.
    private Optional<String> target(String location) {
        try {
            URI base = spec.url().resolve(parts().target());
            URI to = base.resolve(location);
            boolean same =
                    spec.url().getScheme().equalsIgnoreCase(to.getScheme())
                            && HttpUrl.host(to).filter(spec.host()::equalsIgnoreCase).isPresent()
                            && spec.port() == HttpUrl.port(to);
            return same ? Optional.of(RequestText.target(to)) : Optional.empty();
        } catch (IllegalArgumentException notAnAddress) {
            return Optional.empty();
        }
    }

    @Override
    public Optional<SocketFailure> failure() {
        return failure;
    }

    private void reset() {
        hop = Optional.empty();
        hops = 0;
    }

    @Override
    public void failed() {
        reset();
        inner.failed();
    }

    @Override
    public boolean isMidway() {
        return inner.isMidway();
    }

    @Override
    public long pollEveryNanos() {
        return inner.pollEveryNanos();
    }

    @Override
    public long effectWithinNanos() {
        return inner.effectWithinNanos();
    }
}
