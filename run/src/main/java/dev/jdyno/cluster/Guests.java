package dev.jdyno.cluster;

import dev.jdyno.cluster.key.PeerKey;
import dev.jdyno.measure.text.UserError;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// The agents that a founder has invited. A member must be one of them, and must have the key of
/// the agent that was invited under its name.
final class Guests {
    private static final Duration JOIN_LIMIT = Duration.ofSeconds(15);

    /// @param key the only key that is accepted under this name
    private record Guest(Optional<PeerKey> key, CompletableFuture<Member> here) {}

    private final Map<String, Guest> invited = new ConcurrentHashMap<>();

    /// Waits until the agent has joined.
    ///
    /// @param called name of the member
    /// @param accepting identity with which the agent is asked; it accepts only one key
    /// @param asking asks the agent to join
    /// @throws UserError if it does not join
    Member invite(String called, Identity accepting, Supplier<Door.Visit> asking) {
        var guest = new Guest(accepting.only(), new CompletableFuture<>());
        invited.put(called, guest);
        try {
            Door.Visit _ = asking.get();
            return guest.here().get(JOIN_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw UserError.target(
                            "agent " + called + " does not join",
                            "nothing was heard of it after it had been invited",
                            "see what it says on its own host")
                    .causedBy(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while an agent joins", e);
        } finally {
            invited.remove(called, guest);
        }
    }

    /// Consumes the invitation, because each invitation is for one member.
    ///
    /// @param key key that the member has proved to have
    /// @return to be completed once the member is registered
    /// @throws IllegalArgumentException if no peer of that name and key is invited
    CompletableFuture<Member> expected(Member member, Optional<PeerKey> key) {
        Guest guest = invited.get(member.name());
        if (guest == null
                || key.isEmpty()
                || !guest.key().equals(key)
                || !invited.remove(member.name(), guest)) {
            throw new IllegalArgumentException("a member that was not invited");
        }
        return guest.here();
    }
}
