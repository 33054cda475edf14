package dev.jdyno.observe.stacks;

import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.Place.Activity;
import dev.jdyno.measure.thread.Place.LogStep;
import dev.jdyno.observe.stacks.Frames.Kind;
import dev.jdyno.observe.stacks.Frames.Meaning;
import dev.jdyno.observe.stacks.ThreadDump.JavaThread;
import dev.jdyno.observe.stacks.ThreadDump.State;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/// Decides for one thread in one dump whether it worked for a request, and what it waited for.
///
/// The stack is read from the top. The JDK's own frames show *how* it waits (park, socket, sleep);
/// the libraries directly below them show *what for* (a pool, a log, a database). The first frame
/// of neither kind is the application's and ends the search. So other activities of outer methods
/// are not mixed in, such as a logging call that contains a socket read of the application's own
/// appender.
public final class StackClassifier {
    /// A method whose name shows that its semaphore serves as a lock: it has one permit, and the
    /// thread that releases it need not be the one that acquired it (`acquireWriterLock`, but not
    /// `block` or `clock`).
    private static final Pattern EXCLUSION =
            Pattern.compile("\\.(lock[A-Z]?|mutex|\\w*(Lock|Mutex|Exclusive))\\w*$");

    /// Number of frames from the top that may contain the wakeup of a selector.
    private static final int WAKES_WITHIN = 2;

    private static final String SELECT = "sun.nio.ch.SelectorImpl.lockAndDoSelect";

    /// Number of frames from the top that may contain the selector's wait.
    private static final int SELECTS_WITHIN = 6;

    /// Number of frames from the top that may contain the park itself.
    private static final int PARKS_WITHIN = 4;

    private static final Pattern LOCKS =
            Pattern.compile(
                    "java\\.util\\.concurrent\\.locks\\.(ReentrantLock|ReentrantReadWriteLock|StampedLock)");

    /// Kinds of waits that include the JDK's own monitors: a file channel allows one write at its
    /// position at a time, and a name lookup waits for earlier lookups.
    private static final Set<Kind> OWN_MONITORS =
            EnumSet.of(Kind.CLASS_LOADING, Kind.DISK, Kind.DNS);

    /// Number of frames from the top that may contain a resolver which selects its own sockets.
    private static final int RESOLVES_WITHIN = 12;

    /// Prefix of the frames in which a thread waits in one of the JDK's selectors.
    private static final String NIO = "sun.nio.ch.";

    private static final Set<Kind> KEPT_BELOW_A_PROXY =
            EnumSet.of(Kind.DATABASE, Kind.LOGGING, Kind.POOL);

    private static final String EXCEPTION = "java.lang.Throwable.fillInStackTrace";

    private final Frames frames;

    public StackClassifier(Frames frames) {
        this.frames = frames;
    }

    public Classified classify(JavaThread thread) {
        boolean serving = has(thread.frames(), Kind.SERVING);
        boolean task = has(thread.frames(), Kind.TASK);
        boolean awaits = awaitsItsOwn(thread, serving);
        Top top = top(thread, awaits);
        boolean idle =
                thread.frames().isEmpty()
                        || thread.carries()
                        || (!serving && !awaits && isIdle(thread));
        Optional<ThreadActivity> doing = idle ? Optional.empty() : Optional.of(doing(thread, top));
        return new Classified(
                thread,
                serving,
                has(thread.frames(), Kind.LOOP) || (!task && !awaits && selects(thread)),
                idle && has(thread.frames(), Kind.SELECTOR),
                task,
                doing,
                top.app(),
                doing.isPresent() ? application(thread.frames()) : List.of());
    }

    private List<Integer> application(List<String> stack) {
        return IntStream.range(outermostProxy(stack) + 1, stack.size())
                .filter(i -> frames.of(stack.get(i)).isEmpty())
                .boxed()
                .toList();
    }

    /// True if it waits for many sockets outside any executor: it is an event loop with its own
    /// thread.
    private boolean selects(JavaThread thread) {
        return !has(thread.frames(), Kind.SELECTOR)
                && thread.frames().stream().limit(SELECTS_WITHIN).anyMatch(SELECT::equals);
    }

    /// True if it selects among its own sockets inside a request or a name lookup: it waits for an
    /// answer, not for new requests.
    private boolean awaitsItsOwn(JavaThread thread, boolean serving) {
        List<String> stack = thread.frames();
        return selects(thread)
                && !has(stack, Kind.LOOP)
                && (serving
                        || has(
                                stack.subList(0, Math.min(RESOLVES_WITHIN, stack.size())),
                                Kind.DNS));
    }

    private boolean has(List<String> stack, Kind kind) {
        return stack.stream().anyMatch(f -> frames.of(f).filter(m -> m.kind() == kind).isPresent());
    }

    private boolean isIdle(JavaThread thread) {
        boolean onlyJdkAbove = true;
        for (String frame : thread.frames()) {
            Optional<Meaning> meaning = frames.of(frame);
            if (meaning.isPresent() && isEnd(meaning.get().kind())) {
                return !meaning.get().leafOnly()
                        || (onlyJdkAbove && thread.state() != State.BLOCKED);
            }
            if (meaning.isEmpty() || meaning.get().kind() == Kind.TASK) {
                onlyJdkAbove = false;
            }
        }
        return false;
    }

    private static boolean isEnd(Kind kind) {
        return kind == Kind.IDLE || kind == Kind.SELECTOR || kind == Kind.LOOP;
    }

    /// The frames above the application's first frame.
    ///
    /// @param how the outermost way of waiting among the JDK's frames
    /// @param library the outermost library directly below them
    private record Top(Optional<Kind> how, Optional<Meaning> library, Optional<String> app) {}

    private Top top(JavaThread thread, boolean awaits) {
        Optional<Kind> wait = awaits ? Optional.of(Kind.SOCKET_READ) : Optional.empty();
        Optional<Meaning> library = Optional.empty();
        List<String> stack =
                awaits
                        ? thread.frames().stream().dropWhile(f -> f.startsWith(NIO)).toList()
                        : thread.frames();
        int proxy = outermostProxy(stack);
        for (int i = 0; i < stack.size(); i++) {
            String frame = stack.get(i);
            Optional<Meaning> meaning = frames.of(frame);
            if (meaning.isEmpty()) {
                if (i < proxy) {
                    continue;
                }
                return new Top(wait, library, Optional.of(frame));
            }
            Kind kind = meaning.get().kind();
            if (kind == Kind.PROXY) {
                library = Optional.of(driver(library, meaning.get()));
                continue;
            }
            if (kind == Kind.SERVING || kind == Kind.TASK || isEnd(kind)) {
                break;
            }
            if (kind.isLibrary()) {
                library = stronger(library, meaning.get());
            } else if (meaning.get().isNotTheDisk()) {
                wait = Optional.empty();
            } else if (library.isEmpty()) {
                wait = Optional.of(outer(wait, kind));
            }
        }
        return new Top(wait.filter(k -> k != Kind.THROUGH), library, Optional.empty());
    }

    /// Index of the outermost proxy of a pooled connection. All frames inside it belong to the
    /// query, whatever their class.
    ///
    /// @return the proxy's index from the top; -1 if there is none
    private int outermostProxy(List<String> stack) {
        return IntStream.range(0, stack.size())
                .filter(i ->
                        frames.of(stack.get(i)).filter(m -> m.kind() == Kind.PROXY).isPresent())
                .max()
                .orElse(-1);
    }

    /// The database that answers the query, if a known driver is inside the proxy. Otherwise it is
    /// a database with the proxy's name. A pool inside the proxy is kept, because the thread waits
    /// for it before there is a query.
    private static Meaning driver(Optional<Meaning> inner, Meaning proxy) {
        return inner.filter(m -> KEPT_BELOW_A_PROXY.contains(m.kind()))
                .orElseGet(() -> new Meaning(Kind.DATABASE, proxy.pattern(), proxy.name()));
    }

    /// The library of two that determines the activity: an inner log, such as that of a driver,
    /// else the outer one. So a driver that an appender calls counts as logging.
    private static Optional<Meaning> stronger(Optional<Meaning> inner, Meaning outer) {
        return inner.isPresent() && inner.get().kind() == Kind.LOGGING ? inner : Optional.of(outer);
    }

    /// The outermost frame that is more specific than "parked": `FutureTask.get` above
    /// `LockSupport.park`.
    private static Kind outer(Optional<Kind> inner, Kind kind) {
        boolean isUninformative = kind == Kind.THROUGH || kind == Kind.PARK || kind == Kind.WAIT;
        // a thread that submits tasks to a new pool and waits for them starts the pool's threads
        // first
        boolean starts = inner.filter(k -> k == Kind.THREAD_START).isPresent();
        return starts || (inner.isPresent() && isUninformative && inner.get() != Kind.THROUGH)
                ? inner.get()
                : kind;
    }

    private ThreadActivity doing(JavaThread thread, Top top) {
        boolean waits = thread.state() != State.RUNNABLE;
        Optional<String> at = top.app();
        if (top.library().isPresent()) {
            Optional<ThreadActivity> byLibrary = byLibrary(thread, top, top.library().get(), at);
            if (byLibrary.isPresent()) {
                return byLibrary.get();
            }
        }
        Optional<ThreadActivity> appender = lockOfAppender(thread, top);
        if (appender.isPresent()) {
            return appender.get();
        }
        if (thread.state() == State.BLOCKED && top.how().filter(OWN_MONITORS::contains).isEmpty()) {
            return new ThreadActivity(Cause.LOCK, Optional.of(Kind.LOCK), lock(thread, at));
        }
        Kind wait = top.how().orElse(Kind.THROUGH);
        return switch (wait) {
            case DNS -> common(Cause.DNS, top.how(), Activity.DNS_LOOKUP, at);
            case DISK -> common(Cause.DISK, top.how(), fileIo(thread), at);
            case CLASS_LOADING ->
                    common(Cause.CLASS_LOADING, top.how(), Activity.CLASS_LOADING, at);
            case THREAD_START -> common(Cause.THREAD_START, top.how(), Activity.THREAD_START, at);
            case COLLECT -> common(Cause.GC, top.how(), askedFor(thread), at);
            case SOCKET_READ, SOCKET_WRITE -> peer(Cause.DOWNSTREAM, top.how(), Optional.empty());
            case SOCKET_CONNECT ->
                    peer(Cause.DOWNSTREAM, top.how(), Optional.of(Place.Peer.CONNECT));
            case SLEEP -> common(Cause.SLEEP, top.how(), Activity.SLEEP, at);
            default -> waits ? waiting(thread, wait, at) : atWork(thread, top.app());
        };
    }

    private static ThreadActivity common(
            Cause cause, Optional<Kind> how, Activity what, Optional<String> at) {
        return new ThreadActivity(cause, how, new Place.Common(what, at));
    }

    /// A call whose other side is not in the stack.
    private static ThreadActivity peer(Cause cause, Optional<Kind> how, Optional<String> client) {
        return new ThreadActivity(cause, how, new Place.Peer(client, List.of()));
    }

    /// A lock in the application's own code counts as the log's if a log called that code (its
    /// appender, its handler).
    private Optional<ThreadActivity> lockOfAppender(JavaThread thread, Top top) {
        boolean isLock =
                thread.state() == State.BLOCKED
                        || top.how().filter(k -> k == Kind.LOCK).isPresent();
        if (!isLock || top.app().isEmpty()) {
            return Optional.empty();
        }
        List<String> around =
                thread.frames().stream()
                        .dropWhile(f -> !f.equals(top.app().get()))
                        .dropWhile(f -> frames.of(f).isEmpty())
                        .toList();
        Optional<String> caller = around.stream().filter(f -> frames.of(f).isEmpty()).findFirst();
        return around.stream()
                .findFirst()
                .flatMap(frames::of)
                .filter(m -> m.kind() == Kind.LOGGING)
                .map(log ->
                        new ThreadActivity(
                                Cause.LOGGING,
                                top.how().or(() -> Optional.of(Kind.LOCK)),
                                new Place.Log(
                                        log.name(),
                                        LogStep.LOCK,
                                        Optional.of(lock(thread, Optional.empty())),
                                        caller)));
    }

    private Optional<ThreadActivity> byLibrary(
            JavaThread thread, Top top, Meaning library, Optional<String> at) {
        boolean waits = thread.state() != State.RUNNABLE;
        Kind wait = top.how().orElse(Kind.THROUGH);
        boolean socket =
                wait == Kind.SOCKET_READ
                        || wait == Kind.SOCKET_WRITE
                        || wait == Kind.SOCKET_CONNECT;
        Optional<Kind> how = waits || socket ? Optional.of(wait) : Optional.empty();
        return switch (library.kind()) {
            case LOGGING ->
                    Optional.of(
                            new ThreadActivity(
                                    Cause.LOGGING,
                                    Optional.of(wait),
                                    log(thread, library.name(), wait, at)));
            case POOL ->
                    waits
                            ? Optional.of(
                                    new ThreadActivity(
                                            Cause.POOL, how, new Place.Library(library.name(), at)))
                            : Optional.empty();
            case LIMITER ->
                    waits
                            ? Optional.of(
                                    new ThreadActivity(
                                            Cause.SLEEP,
                                            how,
                                            new Place.Library(library.name(), at)))
                            : Optional.empty();
            case DATABASE ->
                    socket || (waits && thread.state() != State.BLOCKED)
                            ? Optional.of(peer(Cause.DATABASE, how, Optional.of(library.name())))
                            : Optional.empty();
            case REMOTE ->
                    waits
                            ? Optional.of(peer(Cause.DOWNSTREAM, how, Optional.of(library.name())))
                            : Optional.empty();
            case SERVER_IO -> serverIo(thread, library, how);
            default -> Optional.empty();
        };
    }

    /// A selector's own monitor is held only for microseconds, to wake it. So a thread is found
    /// waiting for it only when its holder has lost its core.
    private static Optional<ThreadActivity> serverIo(
            JavaThread thread, Meaning library, Optional<Kind> how) {
        boolean wakes =
                thread.frames().stream().limit(WAKES_WITHIN).anyMatch(f -> f.contains("Selector"));
        if (thread.state() == State.BLOCKED && wakes) {
            return Optional.of(
                    new ThreadActivity(
                            Cause.RUN_QUEUE,
                            Optional.of(Kind.THROUGH),
                            new Place.ServerIo(library.name(), false)));
        }
        return how.map(_ ->
                new ThreadActivity(Cause.NETWORK, how, new Place.ServerIo(library.name(), true)));
    }

    private static Place log(JavaThread thread, String library, Kind wait, Optional<String> at) {
        LogStep step =
                switch (thread.state()) {
                    case BLOCKED -> LogStep.LOCK;
                    case SLEEPING -> LogStep.SLEEPING;
                    case WAITING -> wait == Kind.QUEUE ? LogStep.FULL_QUEUE : LogStep.LOCK;
                    case RUNNABLE -> wait == Kind.DISK ? LogStep.WRITING : LogStep.FORMATTING;
                };
        return new Place.Log(
                library,
                step,
                step == LogStep.LOCK
                        ? Optional.of(lock(thread, Optional.empty()))
                        : Optional.empty(),
                at);
    }

    private static ThreadActivity waiting(JavaThread thread, Kind wait, Optional<String> at) {
        Optional<Kind> how = Optional.of(wait);
        Place.Lock lock = lock(thread, at);
        return switch (wait) {
            case FUTURE -> common(Cause.FUTURE, how, Activity.OTHER_TASK, at);
            case LOCK -> new ThreadActivity(Cause.LOCK, how, lock);
            case SEMAPHORE ->
                    at.filter(EXCLUSION.asPredicate()).isPresent()
                            ? new ThreadActivity(Cause.LOCK, how, lock)
                            : common(Cause.POOL, how, Activity.SEMAPHORE, at);
            case QUEUE -> common(Cause.POOL, how, Activity.QUEUE, at);
            case PARK -> parked(thread, at);
            // a pool or a limiter of the application's own; without an application frame, its owner
            // is unknown
            case WAIT, CONDITION ->
                    at.isEmpty()
                            ? new ThreadActivity(Cause.OTHER, how, new Place.Notified(lock))
                            : common(Cause.POOL, how, Activity.NOTIFICATION, at);
            default -> new ThreadActivity(Cause.OTHER, how, new Place.Notified(lock));
        };
    }

    /// NIO requests a collection if direct buffers have reached their limit.
    private static Activity askedFor(JavaThread thread) {
        return thread.frames().stream().anyMatch("java.nio.Bits.reserveMemory"::equals)
                ? Activity.DIRECT_MEMORY
                : Activity.COLLECTION;
    }

    /// Forcing data to the device leads to other recommendations than reading and writing files.
    private static Activity fileIo(JavaThread thread) {
        return Frames.forcesToDisk(thread.frames()) ? Activity.FSYNC : Activity.FILE_IO;
    }

    /// Activity of a thread that the application parks directly, without a condition, lock or
    /// queue. With a timeout the thread waits for a time, whatever object it parks on. Without a
    /// timeout another thread wakes it.
    private static ThreadActivity parked(JavaThread thread, Optional<String> at) {
        boolean byTheClock =
                thread.waitsFor().isEmpty()
                        || thread.frames().stream()
                                .limit(PARKS_WITHIN)
                                .anyMatch(
                                        f -> f.endsWith(".parkNanos") || f.endsWith(".parkUntil"));
        Optional<Kind> how = Optional.of(Kind.PARK);
        if (byTheClock) {
            return common(Cause.SLEEP, how, Activity.PARK, at);
        }
        return at.isPresent()
                ? common(Cause.POOL, how, Activity.NOTIFICATION, at)
                : new ThreadActivity(Cause.OTHER, how, lock(thread, at));
    }

    /// The place of work is the application's first frame, preceded by the JDK method that it
    /// called: `java.util.regex.Matcher.find in com.acme.Page.get`.
    static ThreadActivity atWork(JavaThread thread, Optional<String> appFrame) {
        if (appFrame.isEmpty()) {
            String top = thread.frames().isEmpty() ? "" : thread.frames().get(0);
            return computing(Optional.empty(), top);
        }
        String app = appFrame.get();
        Optional<String> called = Optional.empty();
        for (String frame : thread.frames()) {
            if (frame.equals(app)) {
                break;
            }
            // frames of an exception's own constructors are less specific than the fact that it is
            // an exception
            if (called.filter(c -> c.startsWith(EXCEPTION)).isEmpty()) {
                called = Optional.of(frame);
            }
        }
        return computing(called, app);
    }

    private static ThreadActivity computing(Optional<String> called, String frame) {
        return new ThreadActivity(Cause.CPU, Optional.empty(), new Place.Code(called, frame));
    }

    /// The lock it waits for, identified by the class that contains the synchronizer.
    private static Place.Lock lock(JavaThread thread, Optional<String> at) {
        Optional<ThreadDump.LockRef> object = thread.waitsFor();
        return new Place.Lock(
                object.map(l -> lockClass(l.type())).or(() -> lockByItsMethod(thread)),
                object.map(l -> hex(l.id())),
                at);
    }

    /// JDK 21's dump of virtual threads names no object. The waiting method shows at least the
    /// class of the lock.
    private static Optional<String> lockByItsMethod(JavaThread thread) {
        return thread.frames().stream()
                .map(LOCKS::matcher)
                .filter(Matcher::lookingAt)
                .map(Matcher::group)
                .findFirst();
    }

    /// The class of the lock that contains a synchronizer.
    public static String lockClass(String type) {
        return type.replaceFirst("\\$(Nonfair|Fair)?Sync$", "");
    }

    private static String hex(String id) {
        return id.replaceFirst("^0x0*", "");
    }
}
