package dev.jdyno.cluster;

import dev.jdyno.cluster.packet.OnlyBytes;
import dev.jdyno.measure.text.UserError;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.Message;
import org.jgroups.SuspectedException;
import org.jgroups.blocks.Request;
import org.jgroups.blocks.RequestCorrelator;
import org.jgroups.blocks.RequestOptions;
import org.jgroups.blocks.Response;
import org.jgroups.blocks.UnicastRequest;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.stack.Protocol;

/// The questions of a group that wait for an answer, as JGroups stores them. Each question ends:
/// with an answer, a refusal, a timeout, or the loss of the member that was asked.
///
/// JGroups would deserialise an answer whose sender marks it as an object, and would accept it from
/// any member. Here the mark and the sender are checked.
final class Questions extends RequestCorrelator {
    private final BiConsumer<Message, Optional<Response>> received;

    /// @param below sends messages
    /// @param received gets each message; the response is empty if the sender wants no answer
    Questions(Protocol below, BiConsumer<Message, Optional<Response>> received) {
        super(below, null, null);
        this.received = received;
        corr_id = ClassConfigurator.getProtocolId(RequestCorrelator.class);
    }

    /// One question to one member.
    private final class Asked extends UnicastRequest<byte[]> {
        private final Member to;

        Asked(Peer to) {
            super(Questions.this, to.address(), RequestOptions.SYNC());
            this.to = to.member();
        }

        @Override
        public void receiveResponse(Object bytes, Address from, boolean isRefusal) {
            if (!target.equals(from)) {
                return;
            }
            boolean _ =
                    isRefusal
                            ? completeExceptionally(refusal((byte[]) bytes))
                            : complete((byte[]) bytes);
        }

        private UserError refusal(byte[] bytes) {
            try {
                return Payload.json(Refusal.class).read(bytes).by(to.name());
            } catch (IllegalArgumentException e) {
                return gone(to, "its refusal cannot be read: " + e.getMessage());
            }
        }
    }

    /// @param frame the question
    <A> CompletableFuture<A> ask(Peer to, byte[] frame, Kind<A> answer, Duration limit) {
        var asked = new Asked(to);
        try {
            asked.sendRequest(new BytesMessage(to.address(), frame));
        } catch (Exception ended) {
            boolean _ = asked.completeExceptionally(ended);
        }
        return asked.orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS)
                .handle((bytes, failure) -> {
                    done(asked.requestId());
                    if (failure != null) {
                        throw failed(to.member(), failure, limit);
                    }
                    return read(to.member(), answer, bytes);
                });
    }

    private static UserError failed(Member to, Throwable failure, Duration limit) {
        return switch (failure) {
            case UserError e -> e;
            case TimeoutException _ -> gone(to, "no answer within " + limit.toMillis() + " ms");
            case SuspectedException _ -> gone(to, "its connection has ended");
            default -> gone(to, failure.toString());
        };
    }

    private static <A> A read(Member from, Kind<A> kind, byte[] bytes) {
        try {
            return kind.read(bytes);
        } catch (IllegalArgumentException e) {
            throw gone(from, "its answer cannot be read: " + e.getMessage());
        }
    }

    @Override
    protected void handleRequest(Message message, Header header) {
        received.accept(
                message,
                header.rspExpected()
                        ? Optional.of(new ResponseImpl(message, header.requestId()))
                        : Optional.empty());
    }

    /// Drops an answer that comes after the limit.
    @Override
    protected void handleResponse(Message answer, Header header) {
        Optional<byte[]> bytes = OnlyBytes.of(answer);
        Request<?> asked = requests.get(header.requestId());
        if (asked != null && bytes.isPresent()) {
            asked.receiveResponse(bytes.get(), answer.getSrc(), header.type == Header.EXC_RSP);
        }
    }

    void lost(Member member, UserError why) {
        for (Request<?> each : requests.values()) {
            if (each instanceof Asked asked && asked.to.equals(member)) {
                boolean _ = asked.completeExceptionally(why);
            }
        }
    }

    static UserError gone(Member member, String why) {
        return new UserError(
                UserError.Kind.INVALID,
                "agent " + member.name() + " is lost",
                why,
                "see whether it still runs, and its host can be reached");
    }
}
