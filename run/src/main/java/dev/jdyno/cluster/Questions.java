package dev.jdyno.cluster;

import dev.jdyno.measure.text.UserError;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/// The questions of a group that wait for an answer. Each ends: answered, refused, too late, or
/// with the loss of the member that was asked.
final class Questions {
    private record Waiting(Member to, Kind<?> answer, CompletableFuture<byte[]> payload) {}

    private final Map<Long, Waiting> waiting = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();

    /// Sends the question's frame, whose number is given.
    @FunctionalInterface
    interface Sending {
        void send(long number);
    }

    <A> CompletableFuture<A> ask(Member to, Kind<A> answer, Duration limit, Sending sending) {
        long number = numbers.incrementAndGet();
        var payload = new CompletableFuture<byte[]>();
        waiting.put(number, new Waiting(to, answer, payload));
        sending.send(number);
        return payload.orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS)
                .handle((bytes, failure) -> {
                    waiting.remove(number);
                    if (failure instanceof TimeoutException) {
                        throw gone(to, "no answer within " + limit.toMillis() + " ms");
                    }
                    if (failure instanceof UserError e) {
                        throw e;
                    }
                    if (failure != null) {
                        throw gone(to, failure.toString());
                    }
                    return read(to, answer, bytes);
                });
    }

    private static <A> A read(Member from, Kind<A> kind, byte[] bytes) {
        try {
            return kind.payload().read(bytes);
        } catch (IllegalArgumentException e) {
            throw gone(from, "its answer cannot be read: " + e.getMessage());
        }
    }

    /// An answer or a refusal; one that comes after the limit is dropped.
    ///
    /// @throws IllegalArgumentException when it is longer than its kind may be
    void answered(Member from, Frame frame) {
        Waiting asked = waiting.get(frame.number());
        if (asked == null || !asked.to().equals(from)) {
            return;
        }
        if (frame.role() == Frame.Role.REFUSAL) {
            Refusal refusal = Payload.json(Refusal.class).read(frame.payload());
            asked.payload().completeExceptionally(refusal.by(from.name()));
        } else if (frame.payload().length > asked.answer().mostBytes()) {
            throw new IllegalArgumentException("too long for " + asked.answer().name());
        } else {
            asked.payload().complete(frame.payload());
        }
    }

    void lost(Member member, UserError why) {
        waiting.values().stream()
                .filter(w -> w.to().equals(member))
                .forEach(w -> w.payload().completeExceptionally(why));
    }

    static UserError gone(Member member, String why) {
        return new UserError(
                UserError.Kind.INVALID,
                "agent " + member.name() + " is lost",
                why,
                "see whether it still runs, and its host can be reached");
    }
}
