package dev.jdyno.cluster;

import dev.jdyno.measure.text.UserError;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jgroups.Address;

/// Joins a member to its founder within a time limit, because the inviter may be gone or not
/// answer. JGroups has no such limit.
final class Meeting {
    private static final int TRIES = 2;

    /// Maximum time to join; less than {@link Door#ANSWER_LIMIT}.
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final Channel channel;
    private final String group;
    private final Runnable release;

    /// @param release frees the listener for another group if this one is not joined
    Meeting(Channel channel, String group, Runnable release) {
        this.channel = channel;
        this.group = group;
        this.release = release;
    }

    /// @return the founder's address
    /// @throws UserError if the founder was not reached; the channel is closed, or will be
    Address with(Invitation by) {
        var met = new CompletableFuture<Address>();
        Thread _ =
                Thread.ofPlatform()
                        .name("jdyno-join")
                        .daemon()
                        .start(() -> {
                            try {
                                met.complete(tryToMeet(by));
                            } catch (Throwable notMet) {
                                met.completeExceptionally(notMet);
                            }
                        });
        try {
            return met.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            leave();
            throw notMet(by).causedBy(e);
        } catch (ExecutionException e) {
            leave();
            throw e.getCause() instanceof UserError why ? why : new IllegalStateException(e);
        } catch (InterruptedException e) {
            leave();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while it joins a run", e);
        }
    }

    /// Closes the channel, which JGroups allows only after it has given up connecting.
    private void leave() {
        release.run();
        Thread _ = Thread.ofPlatform().name("jdyno-leave").daemon().start(channel::close);
    }

    /// Repeats connecting until the founder is the first member of the group. If many processes
    /// join at once, a process may first find another joining process.
    private Address tryToMeet(Invitation by) {
        for (int i = 0; i < TRIES; i++) {
            Address first = channel.connect(group);
            if (Channel.text(first).equals(by.founder())) {
                return first;
            }
            channel.disconnect();
        }
        throw notMet(by);
    }

    private static UserError notMet(Invitation by) {
        return UserError.target(
                "it cannot join the run",
                "no answer from " + by.host() + ":" + by.port(),
                "every agent must reach the host that runs jdyno");
    }
}
