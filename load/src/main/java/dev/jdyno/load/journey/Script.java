package dev.jdyno.load.journey;

import dev.jdyno.load.reply.ReplyText;
import dev.jdyno.load.request.RequestParts;
import dev.jdyno.load.wire.SocketFailure;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What one user sends, request after request, and what it thinks of the replies.
public interface Script {
    /// The journey that starts with the next request is that of the arrival of this number.
    default void arrived(long number) {}

    /// Moves on to the next request and gives its bytes.
    byte[] next();

    /// The request given last, before it became bytes.
    RequestParts parts();

    /// Whether the request given last is a HEAD.
    boolean isHead();

    /// Where the reply to the request given last is to be kept; null when nobody looks at it.
    @Nullable ReplyText reply();

    /// The step of the request given last, for statistics by name.
    int step();

    /// Judges the whole reply to the request given last.
    ///
    /// @return whether it is good; `CHECK` failures and bad statuses are not
    Judgement judge(int status);

    /// The request given last has got no whole reply, or no effect in time.
    void failed();

    /// Why the last judgement was {@link Judgement#REDIRECT_FAILED}, or the limit by which it was
    /// {@link Judgement#CHECK_FAILED}; empty where a check does not hold.
    default Optional<SocketFailure> failure() {
        return Optional.empty();
    }

    /// Whether the journey goes on after the request given last.
    default boolean isMidway() {
        return false;
    }

    /// While an effect is awaited: pause between a reply and the next poll.
    default long pollEveryNanos() {
        return 0;
    }

    /// While an effect is awaited: how long after the operation's intended start it may come.
    default long effectWithinNanos() {
        return Long.MAX_VALUE;
    }

    /// What a reply is worth.
    enum Judgement {
        GOOD,
        /// The status says that it is an error.
        BAD_STATUS,
        /// The status is fine, but a check does not hold.
        CHECK_FAILED,
        /// The reply sends the request elsewhere: {@link #next} is now the next hop.
        REDIRECTED,
        /// The reply sends the request where it is not followed to.
        REDIRECT_FAILED,
        /// The operation was accepted, its effect is not seen yet: {@link #next} is now a poll.
        EFFECT_PENDING;

        /// True if a status is good by itself: OK of gRPC, whose codes are below 100, or one of
        /// HTTP below 400.
        static boolean isGood(int status) {
            return status == 0 || (status >= 100 && status < 400);
        }
    }
}
