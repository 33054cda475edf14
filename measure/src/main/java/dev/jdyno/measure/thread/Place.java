package dev.jdyno.measure.thread;

import dev.jdyno.measure.text.Sentence;
import java.util.List;
import java.util.Optional;

/// The code position of a thread, or the resource for which it waits. {@link PlaceText} defines the
/// stored and displayed text of places.
public sealed interface Place {
    /// The text of the place, as it is shown and stored.
    default String text() {
        return PlaceText.of(this);
    }

    /// The text with the class and the methods that it names.
    default Sentence named() {
        return PlaceText.named(this);
    }

    /// Running code.
    ///
    /// @param called the method of the JDK or a library that the application called, outermost
    ///   first; empty if the top frame is the application's own or no application frame was found
    /// @param frame the first frame of the application, or the top frame if there is none
    record Code(Optional<String> called, String frame) implements Place {}

    /// A lock.
    ///
    /// @param type the class of the lock; empty if the dump did not name it
    /// @param id its address in one dump. The collector moves objects, so the address does not
    ///   identify the lock in the next dump.
    /// @param frame the frame of the application in which threads wait for it
    record Lock(Optional<String> type, Optional<String> id, Optional<String> frame)
            implements Place {}

    /// An object on which the thread waits until another thread notifies it. The reason of the wait
    /// is unknown.
    record Notified(Lock by) implements Place {}

    /// An activity or a wait that can occur in any program.
    ///
    /// @param frame the frame of the application; empty if there is none
    record Common(Activity what, Optional<String> frame) implements Place {
        public Common(Activity what) {
            this(what, Optional.empty());
        }
    }

    /// A resource that a library lends or to which it limits access: a pool, a limiter.
    ///
    /// @param frame the frame of the application in which threads wait for it
    record Library(String name, Optional<String> frame) implements Place {}

    /// The sending or receiving side of a server.
    ///
    /// @param client true if the thread waits for the client, false if it waits for another thread
    ///   that has no core
    record ServerIo(String library, boolean client) implements Place {}

    /// A logging library.
    ///
    /// @param lock the lock that the thread waits for at {@link LogStep#LOCK}
    /// @param frame the frame of the application
    record Log(String library, LogStep step, Optional<Lock> lock, Optional<String> frame)
            implements Place {}

    /// The other side of a connection.
    ///
    /// @param client the library or database, written before the address; empty if it is not known
    /// @param addresses host:port. Several if it is unknown to which of them the connection goes;
    ///   none if no address is known.
    record Peer(Optional<String> client, List<String> addresses) implements Place {
        /// The client name for a connection that is being opened.
        public static final String CONNECT = "connect to";

        public Peer {
            addresses = List.copyOf(addresses);
        }

        public Peer(String address) {
            this(Optional.empty(), List.of(address));
        }

        /// Host and port; empty if there are several, or none is known.
        public Optional<String> address() {
            return addresses.size() == 1 ? Optional.of(addresses.getFirst()) : Optional.empty();
        }

        public boolean oneOfSeveral() {
            return addresses.size() > 1;
        }

        /// The same client with other addresses.
        public Peer at(List<String> others) {
            return new Peer(client, others);
        }

        /// True if a thread at this place waits for the service `other`. `other` may lack the name
        /// of its client.
        public boolean isAt(Peer other) {
            return address().isPresent()
                    && address().equals(other.address())
                    && (other.client.isEmpty() || client.equals(other.client));
        }
    }

    /// The target itself, which answers a request at its own port.
    record Itself(Peer at) implements Place {}

    /// Steps of a log call.
    enum LogStep {
        FORMATTING,
        WRITING,
        SLEEPING,
        FULL_QUEUE,
        LOCK;

        /// True if the thread uses a core, or works inside the kernel.
        public boolean atWork() {
            return this == FORMATTING || this == WRITING;
        }

        /// True if the thread waits for other threads before it can log: for a lock, or for room in
        /// a queue.
        public boolean inLine() {
            return this == FULL_QUEUE || this == LOCK;
        }
    }

    /// Activities and waits of any program.
    enum Activity {
        DNS_LOOKUP("DNS lookup"),
        FILE_IO("file I/O"),
        /// Forces data to the device.
        FSYNC("fsync"),
        CLASS_LOADING("class loading"),
        THREAD_START("Thread.start"),
        /// Waits for a collection that it requested.
        DIRECT_MEMORY("System.gc() for direct memory"),
        COLLECTION("System.gc()"),
        SLEEP("sleep"),
        /// Parks for a limited time.
        PARK("park"),
        OTHER_TASK("result of another task"),
        SEMAPHORE("Semaphore"),
        QUEUE("queue"),
        NOTIFICATION("notification"),
        CLIENT("waits for its client"),
        RUN_QUEUE("run queue"),
        /// A runnable virtual thread without a carrier.
        CARRIER("waits for a carrier"),
        /// A thread that the JVM reports as RUNNABLE although no core runs it.
        NATIVE("native code"),
        /// The same as {@link #NATIVE}, but with Java code on top of the stack. The thread waits
        /// for memory, the initialisation of a class, or a page.
        IN_JVM("the JVM itself"),
        /// The same as {@link #NATIVE}, and native frames of the stack show a mutex of the JVM.
        JVM_MUTEX("mutexes of the JVM"),
        /// Stops of the whole JVM for a collection.
        PAUSES("pauses"),
        /// Waits for memory until the collector has freed some.
        ALLOCATION_STALLS("allocation stalls"),
        /// All places that are not listed separately.
        ELSEWHERE("elsewhere");

        private final String text;

        Activity(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    /// True if the place has this activity, in any frame of the application.
    default boolean is(Activity activity) {
        return this instanceof Common(Activity what, Optional<String> _) && what == activity;
    }

    /// The frame of the application; empty if it is not known.
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

    /// The same place without the address of an object, because the address differs from dump to
    /// dump.
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
