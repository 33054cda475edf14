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

/// One user of the load. It has one request in flight at a time, over its {@link Carrier}, and
/// judges the replies by its script. It exists as long as its loop.
final class User {
    private enum State {
        /// The user has no connection.
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

    /// True if a request waits for the connection that is being made.
    private boolean pending;

    private long intendedNanos;

    /// Time at which the last request was sent, for its timeout.
    private long sentNanos;

    /// Time at which the measured request was sent. Polls for its effect and redirects do not
    /// change it.
    private long startedNanos;

    /// Time at which the first byte of the current reply arrived; 0 before, and if it arrived
    /// together with the last byte.
    private long headNanos;

    /// Time at which the first byte of the body arrived; 0 before, and if it arrived together with
    /// the last byte.
    private long bodyNanos;

    /// Time at which the last event of the reply arrived; 0 before the first.
    private long eventNanos;

    /// True if the request follows a redirect.
    private boolean redirected;

    /// True while the effect of an operation is awaited, until the deadline below.
    private boolean awaiting;

    private long effectDeadlineNanos;
    private long connectStartNanos;
    private boolean provenGood;

    /// The request in flight, kept so that it can be sent again if the server refuses it
    /// unprocessed.
    private byte[] request = NOTHING;

    private boolean again;
    private final Refusals refusals;
    private final @Nullable TraceContext trace;
    private final Backoff backoff = new Backoff();

    /// True if the user waits in the loop's due queue.
    boolean waiting;

    /// True if the user is in the open model's queue of free users.
    boolean parked;

    /// @param index number of the user in its loop
    /// @param held true if the user only holds its connection open and never sends
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

    /// True if the user is connected and has no request in flight.
    boolean isConnected() {
        return state == State.IDLE;
    }

    boolean isConnecting() {
        return state == State.CONNECTING;
    }

    boolean isBusy() {
        return state == State.BUSY;
    }

    /// True if the user can take a request now: it is connected and idle, or has no connection.
    boolean isFree() {
        return !waiting && (state == State.IDLE || state == State.OFF);
    }

    boolean hasRequest() {
        return awaiting || state == State.BUSY || (state == State.CONNECTING && pending);
    }

    /// Connects before there is a request.
    void open(long now) {
        pending = false;
        startConnect(now);
    }

    /// Starts a request; connects first if there is no connection.
    ///
    /// @param intended intended start of the request, from which its latency counts
    void begin(long intended, long now) {
        intendedNanos = intended;
        send(now);
    }

    /// Begins the request of the arrival with this number.
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

    /// Called when the wait of this user is over.
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

    /// Called when the user is idle. The user gets another request or keeps its connection open.
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
            provenGood = false; // pause: the next request may be as unfit
            fail(e.failure(), now);
        }
    }

    private byte[] traced(byte[] bytes) {
        return trace == null ? bytes : trace.mark(bytes, awaiting || redirected);
    }

    /// Called when the carrier is connected.
    void connected(long now) {
        state = State.IDLE;
        if (pending) {
            pending = false;
            transmit(now);
        } else {
            free(now);
        }
    }

    /// Called when the first byte of the reply's head has arrived but its last byte has not.
    ///
    /// @param now the time; 0 if all bytes so far belong to an interim reply
    void headBegan(long now) {
        headNanos = now;
        bodyNanos = 0;
    }

    /// Called when the first byte of the reply's body has arrived but its last byte has not.
    void bodyBegan(long now) {
        bodyNanos = now;
    }

    /// True if the first byte of the reply's body arrived in an earlier read.
    boolean hasBody() {
        return bodyNanos != 0;
    }

    /// Called when a read brought a part of a reply with events.
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

    /// @param events events of a reply that the server has ended; null if it has none
    /// @throws SocketFailure if the text that must end the reply is missing
    void mustHaveEnded(@Nullable EventReader events) throws SocketFailure {
        if (events != null && !awaiting && events.lacksEnd()) {
            throw new SocketFailure(ErrorKind.CHECK, FailureReason.ENDED_WITHOUT_TEXT);
        }
    }

    /// Called when the complete reply has arrived.
    ///
    /// @param reusable true if another request may follow on this connection
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

    /// Called if the server certainly has not processed the request (RFC 9113 §8.7). It is sent
    /// again as long as {@link Refusals} allow, and its latency includes this time.
    ///
    /// @param reusable true if the request may use the same connection
    /// @param tookOthers true if the server accepted other requests of the same connection
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

    /// Called when a request that waited for a stream is sent.
    void sentAt(long now) {
        sentNanos = now;
        if (!awaiting) {
            startedNanos = now;
        }
    }

    /// Called when the connection closed without a request in flight.
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

    /// Fails the request, if one is in flight. If the server refuses or breaks fresh connections,
    /// the user pauses before it tries again.
    void fail(SocketFailure failure, long now) {
        boolean mustPause =
                !provenGood
                        || state == State.CONNECTING
                        || failure.kind() == ErrorKind.STREAM_REFUSED;
        if (fail(failure.kind(), now, mustPause)) {
            loop.stats.failures.add(failure);
        }
    }

    /// @return true if the failure counts as an error
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

    /// Fails the request or the connection attempt if it has exceeded its timeout.
    void checkTimeout(long now, long connectTimeout, long requestTimeout) {
        if (state == State.BUSY && now - sentNanos >= loop.longestReplyNanos && carrier.cutOff()) {
            return;
        }
        if (state == State.BUSY && now - sentNanos > loop.deadlineNanos) {
            loop.stats.failures.add(Http2Stream.deadlinePassed());
            fail(ErrorKind.GRPC_DEADLINE_EXCEEDED, now, false);
        } else if (state == State.BUSY && now - sentNanos > requestTimeout) {
            fail(ErrorKind.TIMEOUT, now, false); // no pause: it has waited long enough
        } else if (state == State.BUSY && awaiting && now >= effectDeadlineNanos) {
            fail(ErrorKind.EFFECT_TIMEOUT, now, false);
        } else if (state == State.CONNECTING && now - connectStartNanos > connectTimeout) {
            fail(new SocketFailure(ErrorKind.CONNECT_TIMEOUT, carrier.unanswered()), now);
        }
    }

    /// Closes the connection.
    void close() {
        carrier.close();
        state = State.OFF;
        pending = false;
    }
}
