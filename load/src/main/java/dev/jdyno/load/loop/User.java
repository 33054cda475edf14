package dev.jdyno.load.loop;

import dev.jdyno.load.journey.GrpcUnfit;
import dev.jdyno.load.journey.Refusals;
import dev.jdyno.load.journey.Script;
import dev.jdyno.load.pacing.Backoff;
import dev.jdyno.load.reply.EventReader;
import dev.jdyno.load.request.TraceContext;
import dev.jdyno.load.statistics.LoopStats;
import dev.jdyno.load.wire.SocketFailure;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.FailureReason;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One user of the load: has one request out at a time, over its {@link Carrier}, and is judged by
/// the replies. Lives as long as its loop.
final class User {
    private enum State {
        /// No connection.
        OFF,
        CONNECTING,
        IDLE,
        BUSY
    }

    private static final byte[] NOTHING = new byte[0];

    private final EventLoop loop;
    private final int index;
    private final boolean held;
    private final Carrier carrier;
    private final Script script;

    private State state = State.OFF;

    /// Whether a request waits for the connection that is being made.
    private boolean pending;

    private long intendedNanos;

    /// When the last request left, for its timeout.
    private long sentNanos;

    /// When the request that latency is about left: not a poll for its effect.
    private long startedNanos;

    /// When the first byte of the reply that is coming came; 0 before, and where it comes with the
    /// last one.
    private long headNanos;

    /// The same of its body.
    private long bodyNanos;

    /// When the last event of the reply came; 0 before the first.
    private long eventNanos;

    /// Whether the request is on its way to where a redirect sent it.
    private boolean redirected;

    /// Whether the effect of an operation is awaited, and until when.
    private boolean awaiting;

    private long effectDeadlineNanos;
    private long connectStartNanos;
    private boolean provenGood;

    /// The request that is out, to be sent again should the server refuse to look at it.
    private byte[] request = NOTHING;

    private boolean again;
    private final Refusals refusals;
    private final @Nullable TraceContext trace;
    private final Backoff backoff = new Backoff();

    /// Whether it waits in the loop's due queue.
    boolean waiting;

    /// Whether it lies in the open model's ring of free users.
    boolean parked;

    /// @param index its number in its loop
    /// @param held whether it only holds its connection open and never sends
    User(EventLoop loop, int index, boolean held, Script script, Function<User, Carrier> carrier) {
        this.loop = loop;
        this.index = index;
        this.held = held;
        this.script = script;
        this.refusals = new Refusals(loop.spec.requestTimeout().toNanos());
        this.trace = loop.spec.replies().trace() ? new TraceContext(loop.ids) : null;
        this.carrier = carrier.apply(this);
    }

    int index() {
        return index;
    }

    /// Connected, with no request out.
    boolean isConnected() {
        return state == State.IDLE;
    }

    boolean isConnecting() {
        return state == State.CONNECTING;
    }

    boolean isBusy() {
        return state == State.BUSY;
    }

    /// Free to take a request now: connected and idle, or without a connection.
    boolean isFree() {
        return !waiting && (state == State.IDLE || state == State.OFF);
    }

    boolean hasRequest() {
        return awaiting || state == State.BUSY || (state == State.CONNECTING && pending);
    }

    /// Connects ahead of any request.
    void open(long now) {
        pending = false;
        startConnect(now);
    }

    /// Starts a request: sends it, connecting first when there is no connection.
    ///
    /// @param intended when it was to start; its latency counts from there
    void begin(long intended, long now) {
        intendedNanos = intended;
        send(now);
    }

    /// The same, for the arrival of that number.
    void begin(long intended, long number, long now) {
        script.arrived(number);
        begin(intended, now);
    }

    private void send(long now) {
        if (state == State.IDLE) {
            transmit(now);
        } else {
            pending = true;
            startConnect(now);
        }
    }

    /// The point in time it waited for has come.
    void due(long due, long now) {
        waiting = false;
        if (held) {
            free(now);
        } else if (!awaiting) {
            loop.pacing.due(this, due, now);
        } else if (now < effectDeadlineNanos) {
            loop.stats.polls++;
            send(now);
        } else {
            awaiting = false;
            loop.stats.effectTimeout(script.step());
            loop.stats.lastReplyNanos = now;
            script.failed();
            free(now);
        }
    }

    /// Has nothing to do: gets another request, or holds its connection.
    void free(long now) {
        if (!held) {
            loop.pacing.free(this, now);
        } else if (loop.isSurplus(this)) {
            close();
        } else if (!isConnected()) {
            loop.openLater(this);
        }
    }

    private void startConnect(long now) {
        provenGood = false;
        connectStartNanos = now;
        state = State.CONNECTING;
        try {
            carrier.connect(now);
        } catch (SocketFailure e) {
            fail(e, now);
        }
    }

    private void transmit(long now) {
        state = State.BUSY;
        sentNanos = now;
        headNanos = 0;
        bodyNanos = 0;
        eventNanos = 0;
        if (!awaiting && !redirected) {
            startedNanos = now;
        }
        try {
            if (again) {
                again = false;
            } else {
                refusals.forget();
                request = traced(script.next());
            }
            carrier.send(request, script.isHead(), script.reply(), now);
        } catch (SocketFailure e) {
            fail(e, now);
        } catch (GrpcUnfit e) {
            provenGood = false; // pauses: the next request may be as unfit
            fail(e.failure(), now);
        }
    }

    private byte[] traced(byte[] bytes) {
        return trace == null ? bytes : trace.mark(bytes, awaiting || redirected);
    }

    /// The carrier has its connection.
    void connected(long now) {
        state = State.IDLE;
        if (pending) {
            pending = false;
            transmit(now);
        } else {
            free(now);
        }
    }

    /// The first byte of the reply's head is there, and its last one is not.
    ///
    /// @param now 0 if all that came before was an interim reply
    void headBegan(long now) {
        headNanos = now;
        bodyNanos = 0;
    }

    /// The first byte of the reply's body is there, and its last one is not.
    void bodyBegan(long now) {
        bodyNanos = now;
    }

    /// Whether the first byte of the reply's body has come before.
    boolean hasBody() {
        return bodyNanos != 0;
    }

    /// A read brought a part of a reply with events.
    void came(EventReader events) {
        int n = events.take();
        if (n == 0) {
            return;
        }
        long now = loop.tick();
        if (eventNanos == 0) {
            loop.stats.replies.firstEvent(now - intendedNanos);
            loop.stats.replies.together(n - 1);
        } else {
            loop.stats.replies.events(now - eventNanos, n);
        }
        eventNanos = now;
    }

    /// @param events of a reply that the server has ended; null where it has none
    /// @throws SocketFailure where the text that ends a reply has not come
    void mustHaveEnded(@Nullable EventReader events) throws SocketFailure {
        if (events != null && !awaiting && events.lacksEnd()) {
            throw new SocketFailure(ErrorKind.CHECK, FailureReason.ENDED_WITHOUT_TEXT);
        }
    }

    /// The whole reply to the request that was out is there.
    ///
    /// @param reusable whether another request may follow on this connection
    void replied(int status, boolean reusable) {
        long now = loop.tick();
        LoopStats stats = loop.stats;
        stats.reply(status);
        stats.lastReplyNanos = now;
        stats.lagNanos += now - loop.batchStart;
        boolean effectPending = false;
        redirected = false;
        switch (script.judge(status)) {
            case GOOD -> good(stats, now);
            case BAD_STATUS -> {
                stats.badStatus(script.step(), status);
                SocketFailure why = carrier.failure();
                if (why != null) {
                    stats.failures.add(why);
                }
            }
            case CHECK_FAILED -> {
                stats.failedCheck(script.step());
                script.failure().ifPresent(stats.failures::add);
            }
            case EFFECT_PENDING -> effectPending = true;
            case REDIRECTED -> {
                redirected = true;
                stats.redirect.recordValue(now - sentNanos);
            }
            case REDIRECT_FAILED -> {
                stats.error(ErrorKind.REDIRECT);
                stats.failedStep(script.step());
                script.failure().ifPresent(stats.failures::add);
            }
        }
        provenGood = true;
        backoff.reset();
        state = State.IDLE;
        if (!reusable || !loop.spec.keepAlive()) {
            close();
        }
        if (redirected) {
            send(now);
            return;
        }
        if (effectPending) {
            awaitEffect(now);
            return;
        }
        awaiting = false;
        if (script.isMidway()) {
            loop.pacing.carryOn(this, now);
        } else {
            free(now);
        }
    }

    private void good(LoopStats stats, long now) {
        stats.good(script.step(), intendedNanos, startedNanos, now);
        if (headNanos != 0) {
            long toBody = (bodyNanos == 0 ? now : bodyNanos) - intendedNanos;
            stats.replies.parts(now - intendedNanos, headNanos - intendedNanos, toBody);
        }
        if (trace != null && trace.isMarked()) {
            long toHead = (headNanos == 0 ? now : headNanos) - intendedNanos;
            stats.replies.traced(trace.high(), trace.low(), now - intendedNanos, toHead);
        }
    }

    private void awaitEffect(long now) {
        if (!awaiting) {
            awaiting = true;
            effectDeadlineNanos = intendedNanos + script.effectWithinNanos();
            loop.stats.accepted(script.step(), now - intendedNanos);
        }
        loop.waiting.add(Math.min(now + script.pollEveryNanos(), effectDeadlineNanos), this);
    }

    /// The server has certainly not looked at the request (RFC 9113 §8.7): it is sent again, while
    /// {@link Refusals} allow it, and its latency counts on.
    ///
    /// @param reusable whether it may go over the same connection
    /// @param tookOthers whether the server took other requests of the same connection
    void refused(SocketFailure why, boolean reusable, boolean tookOthers, long now) {
        if (!refusals.mayTryAgain(tookOthers, now)) {
            fail(why, now);
            return;
        }
        again = true;
        loop.stats.retried++;
        if (reusable) {
            transmit(now);
        } else {
            close();
            pending = true;
            startConnect(now);
        }
    }

    /// The request that was given to the carrier leaves only now.
    void sentAt(long now) {
        sentNanos = now;
        if (!awaiting) {
            startedNanos = now;
        }
    }

    /// The connection went while no request was out.
    void lost(long now) {
        close();
        loop.stats.lost++;
        if (held) {
            if (Backoff.isLonger(now - connectStartNanos)) {
                backoff.reset();
            }
            loop.waiting.add(now + backoff.next(), this);
        } else if (!awaiting) {
            loop.pacing.lost(this, now);
        }
    }

    /// Gives up the request, if one is out. A server that refuses or breaks fresh connections is
    /// asked again after a pause only.
    void fail(SocketFailure failure, long now) {
        boolean mustPause =
                !provenGood
                        || state == State.CONNECTING
                        || failure.kind() == ErrorKind.STREAM_REFUSED;
        if (fail(failure.kind(), now, mustPause)) {
            loop.stats.failures.add(failure);
        }
    }

    /// @return whether it counts as an error
    private boolean fail(ErrorKind kind, long now, boolean pause) {
        boolean wasConnecting = state == State.CONNECTING;
        boolean carried = hasRequest();
        if (state == State.BUSY || awaiting || again) {
            again = false;
            loop.stats.failedStep(script.step());
        }
        if (carried) {
            script.failed();
        }
        awaiting = false;
        redirected = false;
        close();
        boolean ahead = wasConnecting && !carried && !held;
        boolean counts = !ahead || loop.pacing.connectFailed();
        if (counts) {
            loop.stats.error(kind);
            loop.stats.lastReplyNanos = now;
        }
        if (pause) {
            loop.waiting.add(now + backoff.next(), this);
        } else {
            free(now);
        }
        return counts;
    }

    /// Fails it when it has taken longer than the session allows.
    void checkTimeout(long now, long connectTimeout, long requestTimeout) {
        if (state == State.BUSY && now - sentNanos >= loop.longestReplyNanos && carrier.cutOff()) {
            return;
        }
        if (state == State.BUSY && now - sentNanos > loop.deadlineNanos) {
            loop.stats.failures.add(Http2Stream.deadlinePassed());
            fail(ErrorKind.GRPC_DEADLINE_EXCEEDED, now, false);
        } else if (state == State.BUSY && now - sentNanos > requestTimeout) {
            fail(ErrorKind.TIMEOUT, now, false); // it has waited long enough already
        } else if (state == State.BUSY && awaiting && now >= effectDeadlineNanos) {
            fail(ErrorKind.EFFECT_TIMEOUT, now, false);
        } else if (state == State.CONNECTING && now - connectStartNanos > connectTimeout) {
            fail(new SocketFailure(ErrorKind.CONNECT_TIMEOUT, carrier.unanswered()), now);
        }
    }

    /// Lets go of the connection.
    void close() {
        carrier.close();
        state = State.OFF;
        pending = false;
    }
}
