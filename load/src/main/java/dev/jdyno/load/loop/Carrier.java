package dev.jdyno.load.loop;

import dev.jdyno.load.reply.ReplyText;
import dev.jdyno.load.wire.SocketFailure;
import dev.jdyno.measure.load.FailureReason;
import org.jspecify.annotations.Nullable;

/// Carries the requests of one user to the server and reports the outcome to the user ({@link
/// User#connected}, {@link User#replied}, {@link User#lost}, {@link User#fail}). In HTTP/1.1 it is
/// the user's own connection, in HTTP/2 one stream at a time of a shared connection.
interface Carrier {
    /// Starts to connect, or joins a connection that exists or is being made.
    void connect(long now) throws SocketFailure;

    /// Sends a request. The carrier must be connected and idle.
    ///
    /// @param request the bytes from `Script.next`
    /// @param headRequest true if the reply has no body, whatever its head says
    /// @param keep buffer in which the reply is kept; null to discard it
    void send(byte[] request, boolean headRequest, @Nullable ReplyText keep, long now)
            throws SocketFailure;

    /// The failure that the last complete reply reports; null if it reports none.
    default @Nullable SocketFailure failure() {
        return null;
    }

    /// Ends the reply that is arriving, if its head has arrived. {@link User} then gets it as a
    /// complete reply.
    ///
    /// @return true if the head of the reply had arrived
    boolean cutOff();

    /// While a connection is being made: the step (such as connect or TLS) to which the server has
    /// not responded.
    FailureReason unanswered();

    /// Closes the connection without a report to the user. A request in flight is abandoned.
    void close();
}
