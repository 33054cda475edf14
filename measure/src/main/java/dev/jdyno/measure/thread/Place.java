package dev.jdyno.measure.thread;

import dev.jdyno.measure.text.Sentence;
import java.util.List;
import java.util.Optional;

/// Where a thread is, or what it waits for. {@link PlaceText} has the form in which places are
/// stored and shown.
public sealed interface Place {
    /// The place as it is shown and stored.
    default String text() {
        return PlaceText.of(this);
    }

    /// The same with the class and the methods that it names.
    default Sentence named() {
        return PlaceText.named(this);
    }

    /// Code that runs.
    ///
    /// @param called the method of the JDK or a library that the application called, outermost
    ///   first; empty where the application's own frame is on top or none was found
    /// @param frame the first frame of the application, or the top frame where there is none
    record Code(Optional<String> called, String frame) implements Place {}

    /// A lock.
    ///
    /// @param type the class of the lock; empty where the dump did not name it
    /// @param id its address in one dump; the collector moves objects, so it names no lock in the
    ///   next
    /// @param frame where in the application threads wait for it
    record Lock(Optional<String> type, Optional<String> id, Optional<String> frame)
            implements Place {}

    /// An object by which another thread wakes the waiting one; it is not known for what.
    record Notified(Lock by) implements Place {}

    /// One of the things that any program may do or wait for.
    ///
    /// @param frame where in the application; empty where it has none
    record Common(Activity what, Optional<String> frame) implements Place {
        public Common(Activity what) {
            this(what, Optional.empty());
        }
    }

    /// What a library lends or lets in: a pool, a limiter.
    ///
    /// @param frame where in the application threads wait for it
    record Library(String name, Optional<String> frame) implements Place {}

    /// The sending or receiving side of a server.
    ///
    /// @param client whether its client is what it waits for; else a core for another thread
    record ServerIo(String library, boolean client) implements Place {}

    /// A logging library.
    ///
    /// @param lock what is waited for at {@link LogStep#LOCK}
    /// @param frame where in the application
    record Log(String library, LogStep step, Optional<Lock> lock, Optional<String> frame)
            implements Place {}

    /// The other side of a connection.
    ///
    /// @param client the library or database before the address; empty where it is not known
    /// @param addresses host:port; several where it is one of them, none where it is not known
    record Peer(Optional<String> client, List<String> addresses) implements Place {
        /// The client of a connection that is being opened.
        public static final String CONNECT = "connect to";

        public Peer {
            addresses = List.copyOf(addresses);
        }

        public Peer(String address) {
            this(Optional.empty(), List.of(address));
        }

        /// Host and port; empty where there are several, or none is known.
        public Optional<String> address() {
            return addresses.size() == 1 ? Optional.of(addresses.getFirst()) : Optional.empty();
        }

        public boolean oneOfSeveral() {
            return addresses.size() > 1;
        }

        /// The same client at another place.
        public Peer at(List<String> others) {
            return new Peer(client, others);
        }

        /// Whether a thread found here waits for `other`, of which the client may not be known.
        public boolean isAt(Peer other) {
            return address().isPresent()
                    && address().equals(other.address())
                    && (other.client.isEmpty() || client.equals(other.client));
        }
    }

    /// An answer that the target itself gives, at a port of its own.
    record Itself(Peer at) implements Place {}

    /// Steps of a log call.
    enum LogStep {
        FORMATTING,
        WRITING,
        SLEEPING,
        FULL_QUEUE,
        LOCK;

        /// Whether a thread uses a core, or the kernel for it.
        public boolean atWork() {
            return this == FORMATTING || this == WRITING;
        }

        /// Whether a thread waits for its turn to log.
        public boolean inLine() {
            return this == FULL_QUEUE || this == LOCK;
        }
    }

    /// What any program may do or wait for.
    enum Activity {
        DNS_LOOKUP("DNS lookup"),
        FILE_IO("file I/O"),
        /// Forces data to the device.
        FSYNC("fsync"),
        CLASS_LOADING("class loading"),
        THREAD_START("Thread.start"),
        /// Waits for a collection it asked for.
        DIRECT_MEMORY("System.gc() for direct memory"),
        COLLECTION("System.gc()"),
        SLEEP("sleep"),
        /// Parks for a time.
        PARK("park"),
        OTHER_TASK("result of another task"),
        SEMAPHORE("Semaphore"),
        QUEUE("queue"),
        NOTIFICATION("notification"),
        CLIENT("waits for its client"),
        RUN_QUEUE("run queue"),
        /// A virtual thread that could run and has no carrier.
        CARRIER("waits for a carrier"),
        /// The JVM calls it RUNNABLE and no core runs it.
        NATIVE("native code"),
        /// The same, with Java code on top of the stack: it is held for memory, the initialisation
        /// of a class, or a page.
        IN_JVM("the JVM itself"),
        /// The same, and a stack with native frames shows a mutex of the JVM.
        JVM_MUTEX("mutexes of the JVM"),
        /// Stops of the whole JVM for a collection.
        PAUSES("pauses"),
        /// Waits for memory until the collector has freed some.
        ALLOCATION_STALLS("allocation stalls"),
        /// What is left over beside the places that are listed.
        ELSEWHERE("elsewhere");

        private final String text;

        Activity(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    /// Whether it is this activity, wherever in the application.
    default boolean is(Activity activity) {
        return this instanceof Common(Activity what, Optional<String> _) && what == activity;
    }

    /// The frame of the application, where it is known.
    default Optional<String> inFrame() {
        return switch (this) {
            case Code code -> Optional.of(code.frame());
            case Lock lock -> lock.frame();
            case Notified notified -> notified.by().frame();
            case Common common -> common.frame();
            case Library library -> library.frame();
            case Log log -> log.frame();
            case ServerIo _, Peer _, Itself _ -> Optional.empty();
        };
    }

    /// The same place without the address of an object, which differs from dump to dump.
    default Place withoutId() {
        return switch (this) {
            case Lock lock -> new Lock(lock.type(), Optional.empty(), lock.frame());
            case Notified notified -> new Notified((Lock) notified.by().withoutId());
            case Log log ->
                    new Log(
                            log.library(),
                            log.step(),
                            log.lock().map(l -> (Lock) l.withoutId()),
                            log.frame());
            default -> this;
        };
    }
}
