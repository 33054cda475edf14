package dev.jdyno.load.loop;

import dev.jdyno.load.reply.ReplyText;
import dev.jdyno.load.wire.SocketFailure;
import dev.jdyno.measure.load.FailureReason;
import org.jspecify.annotations.Nullable;

/// What carries the requests of one user to the server and tells the user ({@link User#connected},
/// {@link User#replied}, {@link User#lost}, {@link User#fail}) what became of them: a connection of
/// its own in HTTP/1.1, a stream at a time of a shared connection in HTTP/2.
interface Carrier {
    /// Starts to connect, or joins a connection that is being made or is there.
    void connect(long now) throws SocketFailure;

    /// Sends a request; the carrier is connected and idle.
    ///
    /// @param request as `Script.next` gave it
    /// @param headRequest whether the reply has no body whatever its head says
    /// @param keep where the reply is kept; null to skip it
    void send(byte[] request, boolean headRequest, @Nullable ReplyText keep, long now)
            throws SocketFailure;

    /// Why the last whole reply is none that was wanted, where the reply itself says so; null
    /// otherwise.
    default @Nullable SocketFailure failure() {
        return null;
    }

    /// Ends the reply that is coming, if its head has come: {@link User} gets it as a whole reply.
    ///
    /// @return whether its head had come
    boolean cutOff();

    /// What the server has not done for the connection that is being made.
    FailureReason unanswered();

    /// Gives up what is under way, without telling the user.
    void close();
}
