package dev.jdyno.inside.remote;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/// Sends requests to an agent and waits for its answers, within limits.
final class RemoteCalls {
    private static final long CHECK_INTERVAL_MS = 50;

    /// Maximum number of stored messages for one request: the moments that its window marks, and
    /// the answer.
    private static final int MAX_WAITING = 16;

    /// Longest silence of an agent that has started a service; it ends the service after 30 s.
    private static final Duration HEARD_LIMIT = Duration.ofSeconds(10);

    private static final Duration ALIVE_LIMIT = Duration.ofSeconds(2);

    /// Of the whole process: a late answer to an earlier session of a lane has no new request's id.
    private static final AtomicLong IDS = new AtomicLong();

    private final String agent;
    private final Link link;
    private final Wire wire;
    private final NanoClock clock;
    private final Consumer<Wire.Beat> beats;
    private final AtomicLong unread = new AtomicLong();
    private final Map<Long, BlockingQueue<Wire.ToCoordinator>> open = new ConcurrentHashMap<>();

    /// @param agent its address, for messages
    /// @param beats receives the target's state, which the agent sends without a request
    RemoteCalls(String agent, Link link, Wire wire, NanoClock clock, Consumer<Wire.Beat> beats) {
        this.agent = agent;
        this.link = link;
        this.wire = wire;
        this.clock = clock;
        this.beats = beats;
        link.receive(this::received);
    }

    /// A request in progress.
    ///
    /// @param sent whether the link accepted it
    record Pending(long id, boolean sent) {}

    /// The exchange with which a session begins.
    interface Beginning {
        Wire.Opened with(RemoteCalls calls)
                throws InterruptedException, Wire.Unreadable, Unrecorded;
    }

    /// Callbacks during a wait.
    ///
    /// @param stop true once the window in progress is to end with the data so far
    /// @param moment called when the agent marks the beginning or the end of a window
    record Meanwhile(BooleanSupplier stop, Runnable moment) {
        static final Meanwhile NOTHING = new Meanwhile(() -> false, () -> {});
    }

    Pending send(Ask ask) {
        long id = IDS.incrementAndGet();
        open.put(id, new LinkedBlockingQueue<>(MAX_WAITING));
        return new Pending(id, link.send(wire.ask(id, ask)));
    }

    /// Sends a request that needs no answer.
    void post(Ask ask) {
        boolean _ = link.send(wire.ask(IDS.incrementAndGet(), ask));
    }

    /// Whether the observed JVM runs. Waits for an agent that is not heard at the moment, because a
    /// service that it has started ends with it.
    ///
    /// @throws UserError if the agent is not heard for {@link #HEARD_LIMIT}, or with the last
    ///   output of a service that it has started and that has ended
    boolean confirmsAlive() throws InterruptedException {
        long until = clock.nanos() + HEARD_LIMIT.toNanos();
        while (true) {
            try {
                return wire.convert(call(new Ask.Alive(), ALIVE_LIMIT), Boolean.class);
            } catch (UserError failed) {
                if (reportsEnd(failed) || clock.nanos() > until) {
                    throw failed;
                }
                TimeUnit.MILLISECONDS.sleep(CHECK_INTERVAL_MS);
            } catch (Wire.Unreadable broken) {
                throw unreadable(broken);
            } catch (Unrecorded none) {
                throw new IllegalStateException(none);
            }
        }
    }

    /// Asks the agent how a service that it has started ended.
    ///
    /// @throws UserError with the last output of the service; none if the agent does not report it
    void reportEnd() {
        try {
            boolean _ = wire.convert(call(new Ask.Alive(), ALIVE_LIMIT), Boolean.class);
        } catch (UserError failed) {
            if (reportsEnd(failed)) {
                throw failed;
            }
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        } catch (Wire.Unreadable | Unrecorded none) {
            unread.incrementAndGet();
        }
    }

    /// True if the agent has answered that the service has ended.
    private static boolean reportsEnd(UserError failed) {
        return failed.getCause() instanceof Refusal && failed.kind() == UserError.Kind.TARGET;
    }

    /// The cause of an error that the agent has reported, not the link.
    private static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Refusal() {
            super("the agent has answered with an error", null, false, false);
        }
    }

    /// Number of unreadable messages of the agent.
    long unread() {
        return unread.get();
    }

    JsonNode call(Ask ask, Duration limit) throws InterruptedException, Unrecorded {
        return await(send(ask), limit, Meanwhile.NOTHING);
    }

    /// @throws UserError if the agent refuses, does not answer in time or is gone
    /// @throws Unrecorded if it reports that a recording cannot be read
    JsonNode await(Pending pending, Duration limit, Meanwhile meanwhile)
            throws InterruptedException, Unrecorded {
        BlockingQueue<Wire.ToCoordinator> arrived = open.get(pending.id());
        long until = clock.nanos() + limit.toNanos();
        boolean stopped = false;
        try {
            while (arrived != null && pending.sent() && link.isUp() && clock.nanos() < until) {
                Wire.ToCoordinator next = arrived.poll(CHECK_INTERVAL_MS, TimeUnit.MILLISECONDS);
                if (!stopped && meanwhile.stop().getAsBoolean()) {
                    stopped = true;
                    post(new Ask.Stop());
                }
                if (next != null) {
                    switch (next.kind()) {
                        case ANSWER -> {
                            return next.body();
                        }
                        case FAILURE -> throw failed(next.body());
                        case MOMENT -> meanwhile.moment().run();
                        case BEAT -> unread.incrementAndGet();
                    }
                }
            }
        } finally {
            open.remove(pending.id());
        }
        throw UserError.target(
                "the agent at " + agent + " does not answer",
                link.isUp()
                        ? "no answer within " + limit.toMillis() + " ms"
                        : "nothing is heard of it",
                "look whether `jdyno agent` still runs there and how the network between is; what"
                        + " was measured without it is kept");
    }

    /// A recording that cannot be read.
    static final class Unrecorded extends Exception {
        private static final long serialVersionUID = 1L;

        Unrecorded(String why) {
            super(why);
        }
    }

    private RuntimeException failed(JsonNode body) throws Unrecorded {
        try {
            Wire.Failure failure = wire.convert(body, Wire.Failure.class);
            if (failure.unread()) {
                throw new Unrecorded(failure.why());
            }
            return failure.asError().causedBy(new Refusal());
        } catch (Wire.Unreadable none) {
            return unreadable(none);
        }
    }

    UserError unreadable(Wire.Unreadable why) {
        unread.incrementAndGet();
        return UserError.target(
                "the agent at " + agent + " answers what cannot be read",
                String.valueOf(why.getMessage()),
                "run the same version of jdyno on both hosts");
    }

    private void received(byte[] message) {
        try {
            Wire.ToCoordinator answer = wire.readAnswer(message);
            if (answer.kind() == Wire.Kind.BEAT) {
                beats.accept(wire.convert(answer.body(), Wire.Beat.class));
                return;
            }
            BlockingQueue<Wire.ToCoordinator> waiting = open.get(answer.id());
            // the waiting thread may have given up: the answer came too late
            if (waiting != null && !waiting.offer(answer)) {
                unread.incrementAndGet();
            }
        } catch (Wire.Unreadable none) {
            unread.incrementAndGet();
        }
    }
}
