package dev.jdyno.load.journey;

import dev.jdyno.load.reply.ReplyText;
import dev.jdyno.load.request.RequestParts;
import dev.jdyno.load.wire.SocketFailure;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The requests that one user sends, one after the other, and how their replies are judged.
public interface Script {
    /// Sets the number of the arrival to which the next journey belongs.
    default void arrived(long number) {}

    /// Moves on to the next request and returns its bytes.
    byte[] next();

    /// The current request before it was encoded.
    RequestParts parts();

    /// True if the current request is a HEAD.
    boolean isHead();

    /// The buffer in which the reply to the current request is kept; null if its content is not
    /// needed.
    @Nullable ReplyText reply();

    /// The number of the current request's step, for statistics by name.
    int step();

    /// Judges the complete reply to the current request.
    ///
    /// @return the judgement; failed checks and error statuses are not good
    Judgement judge(int status);

    /// Called if the current request gets no complete reply, or no effect in time.
    void failed();

    /// Why the last judgement was {@link Judgement#REDIRECT_FAILED}, or the limit that led to
    /// {@link Judgement#CHECK_FAILED}; empty if a check simply failed.
    default Optional<SocketFailure> failure() {
        return Optional.empty();
    }

    /// True if the journey continues after the current request.
    default boolean isMidway() {
        return false;
    }

    /// While an effect is awaited: the pause between a reply and the next poll.
    default long pollEveryNanos() {
        return 0;
    }

    /// While an effect is awaited: the maximum time for it since the operation's intended start.
    default long effectWithinNanos() {
        return Long.MAX_VALUE;
    }

    /// The judgement of a reply.
    enum Judgement {
        GOOD,
        /// The status is an error.
        BAD_STATUS,
        /// The status is good, but a check failed.
        CHECK_FAILED,
        /// The reply redirects the request: {@link #next} returns the next hop.
        REDIRECTED,
        /// The reply redirects the request to an address that jdyno does not follow.
        REDIRECT_FAILED,
        /// The operation was accepted but its effect is not visible yet: {@link #next} returns a
        /// poll.
        EFFECT_PENDING;

        /// True if a status alone is good: OK of gRPC (its codes are below 100), or an HTTP status
        /// from 100 to 399.
        static boolean isGood(int status) {
            return status == 0 || (status >= 100 && status < 400);
        }
    }
}
