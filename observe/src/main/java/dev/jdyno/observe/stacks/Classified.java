package dev.jdyno.observe.stacks;

import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.observe.stacks.Frames.Kind;
import dev.jdyno.observe.stacks.ThreadDump.JavaThread;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// One thread in one dump, with the interpretation of its stack.
///
/// @param serving whether the stack shows a request being handled
/// @param loop whether it is an event loop
/// @param selects whether it waits for the sockets of its whole pool: it takes no request meanwhile
/// @param task whether an executor's worker runs a task
/// @param doing activity of the thread; empty when it waits for work
/// @param appFrame the first frame of the application, which helps to guess lock holders
/// @param application indexes of the application's frames in the stack, the innermost first; empty
///   for a thread that waits for work
public record Classified(
        JavaThread thread,
        boolean serving,
        boolean loop,
        boolean selects,
        boolean task,
        Optional<ThreadActivity> doing,
        Optional<String> appFrame,
        List<Integer> application) {
    // java.net.Socket$SocketOutputStream.write, sun.nio.ch.NioSocketImpl.implWrite
    private static final Pattern WRITES = Pattern.compile("\\.\\w*[wW]rite\\w*$|\\.flush$");

    /// Number of frames from the top that may contain a write.
    private static final int WRITES_WITHIN = 12;

    /// True if it writes to the socket of its system call.
    public boolean writes() {
        return thread.frames().stream().limit(WRITES_WITHIN).anyMatch(WRITES.asPredicate());
    }

    /// The same thread, waiting for a client that does not read its answer.
    public Classified writingToClient() {
        return at(
                true,
                new ThreadActivity(
                        Cause.NETWORK,
                        Optional.of(Kind.SOCKET_WRITE),
                        new Place.Common(Place.Activity.CLIENT)));
    }

    /// The same thread, waiting for an answer of the target itself at `place`.
    public Classified waitingForItself(String place) {
        return at(
                serving,
                new ThreadActivity(
                        Cause.FUTURE,
                        doing.flatMap(ThreadActivity::how),
                        new Place.Itself(
                                doing.flatMap(ThreadActivity::call)
                                        .map(p -> p.at(List.of(place)))
                                        .orElseGet(() -> new Place.Peer(place)))));
    }

    /// The same thread as a task without a carrier: it waits for a core.
    public Classified waitingForCarrier() {
        return at(
                true,
                new ThreadActivity(
                        Cause.RUN_QUEUE,
                        Optional.of(Kind.THROUGH),
                        new Place.Common(Place.Activity.CARRIER)));
    }

    /// The pool whose requests it can take. The selector of a pool counts as a pool of its own.
    public String pool() {
        String pool = PoolName.of(thread.name());
        return selects ? pool + " selector" : pool;
    }

    /// True if it works for a request or for a task of a pool. A separate thread that waits (main,
    /// timers) does not.
    public boolean isAtWork() {
        return doing.isPresent() && (serving || task);
    }

    /// The same thread, at work on a core or waiting for one.
    public Classified running() {
        return at(serving, StackClassifier.atWork(thread, appFrame));
    }

    /// The same thread, known as an event loop from another dump.
    public Classified asLoop() {
        return new Classified(thread, serving, true, selects, task, doing, appFrame, application);
    }

    private Classified at(boolean nowServing, ThreadActivity work) {
        return new Classified(
                thread, nowServing, loop, selects, task, Optional.of(work), appFrame, application);
    }
}
