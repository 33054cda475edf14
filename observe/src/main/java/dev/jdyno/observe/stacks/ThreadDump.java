package dev.jdyno.observe.stacks;

import dev.jdyno.foreign.ForeignNumber;
import dev.jdyno.measure.text.Secrets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The parsed answer of `Thread.print`. Threads without a Java stack (GC, compiler) are left out.
public record ThreadDump(List<JavaThread> threads) {
    /// A dump without threads.
    public static final ThreadDump NONE = new ThreadDump(List.of());

    /// One Java thread.
    ///
    /// @param tid the kernel's thread id, in the innermost pid namespace
    /// @param cpuMs CPU time so far; empty on JDK 8
    /// @param frames `class.method`, top first
    /// @param waitsFor the monitor that it is entering or the object on which it parks
    /// @param locked ids of the monitors that it holds. Locks of `java.util.concurrent` are
    ///   included for a dump with `-l`, and for a thread in a deadlock.
    /// @param inJava whether its top frame is known to be Java code and not a native method
    /// @param sources file and line of each frame; empty for JDK frames and if the dump contained
    ///   none; an empty list if they were not read
    public record JavaThread(
            String name,
            long tid,
            State state,
            Optional<Double> cpuMs,
            List<String> frames,
            Optional<LockRef> waitsFor,
            List<String> locked,
            boolean inJava,
            List<Optional<Source>> sources) {
        /// The frame of a carrier under those of its virtual thread.
        public static final String CARRIES = "jdk.internal.vm.Continuation.run";

        /// Secrets are removed from the name, because some services put a whole request into it.
        public JavaThread {
            name = Secrets.text(name);
        }

        /// True if it is a carrier whose virtual thread is at work. The work belongs to the virtual
        /// thread.
        public boolean carries() {
            return !frames.isEmpty() && frames.getFirst().equals(CARRIES);
        }

        /// A thread for which it is unknown whether its top frame is native.
        public JavaThread(
                String name,
                long tid,
                State state,
                Optional<Double> cpuMs,
                List<String> frames,
                Optional<LockRef> waitsFor,
                List<String> locked) {
            this(name, tid, state, cpuMs, frames, waitsFor, locked, false, List.of());
        }

        /// File and line of the i-th frame; empty if they are not known.
        public Optional<Source> source(int i) {
            return i < sources.size() ? sources.get(i) : Optional.empty();
        }

        /// The same thread with its kernel id in another pid namespace.
        public JavaThread withTid(long other) {
            return new JavaThread(
                    name, other, state, cpuMs, frames, waitsFor, locked, inJava, sources);
        }

        /// The same thread, with locks that its stack does not show.
        JavaThread alsoHolding(List<String> further) {
            List<String> all = new ArrayList<>(locked);
            all.addAll(further);
            return new JavaThread(name, tid, state, cpuMs, frames, waitsFor, all, inJava, sources);
        }
    }

    /// A line of a source file: line 12 of `Page.java`.
    public record Source(String file, int line) {}

    public enum State {
        RUNNABLE,
        BLOCKED,
        WAITING,
        SLEEPING
    }

    /// @param id address at the time of the dump: the collector may move it
    public record LockRef(String id, String type) {}

    // at java.lang.Thread.sleep0(java.base@25.0.3/Native Method), or (Native Method)
    private static final String NATIVE_METHOD = "Native Method)";

    // "http-nio-exec-1" #26 daemon prio=5 os_prio=0 cpu=1.31ms elapsed=3.22s tid=0x… nid=0x65bf
    // waiting …
    // "http-nio-exec-1" #26 [26060] daemon prio=5 os_prio=0 cpu=… tid=0x… nid=26060 runnable  [0x…]
    private static final Pattern NID = Pattern.compile(" nid=(0x[0-9a-f]+|\\d+) ");

    // "ForkJoinPool-1-worker-1" #23 [25156] daemon prio=5 … tid=0x00007f71940e8f30  [0x…]
    //    Carrying virtual thread #26
    //         at jdk.internal.vm.Continuation.run(java.base@25.0.3/Continuation.java:254)
    //    Mounted virtual thread #26
    //         at com.acme.Page.get(Page.java:12)
    private static final Pattern KERNEL_ID = Pattern.compile(" #\\d+ \\[(\\d+)\\] ");
    private static final String CARRIES = "Carrying virtual thread #";
    private static final String MOUNTED = "Mounted virtual thread #";

    // Page.java:12, not java.base@25.0.3/Thread.java:509
    private static final Pattern SOURCE = Pattern.compile("([^()/:@]{1,200}):(\\d{1,6})");

    private static final Pattern CPU = Pattern.compile(" cpu=([\\d.]+)ms ");
    //    java.lang.Thread.State: TIMED_WAITING (sleeping)
    private static final String STATE = "java.lang.Thread.State: ";
    // - parking to wait for  <0x000000068e0b1c40> (a
    // java.util.concurrent.locks.ReentrantLock$NonfairSync)
    // - waiting to lock <0x000000068e0b1c40> (a java.lang.Object)
    // - <0x000000068e0b1c40> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)
    private static final Pattern OWNED = Pattern.compile("\\s+- <(0x[0-9a-f]+)> \\(a .*\\)");

    private static final Pattern LOCK = Pattern.compile("<(0x[0-9a-f]+)> \\(a ");

    /// Maximum length of a line that is read, in characters. It is longer than any real line. Later
    /// steps take time that grows with the square of the length of names and frames.
    private static final int LONGEST_LINE = 2000;

    /// Maximum number of lines of one thread that are read: HotSpot prints 1024 frames, some with a
    /// lock or two.
    private static final int MAX_LINES = 4096;

    public ThreadDump {
        threads = List.copyOf(threads);
    }

    public static ThreadDump parse(String text) {
        List<JavaThread> threads = new ArrayList<>();
        Draft draft = null;
        var deadlocks = new DeadlockSection();
        for (String whole : text.lines().toList()) {
            String line = whole.length() > LONGEST_LINE ? whole.substring(0, LONGEST_LINE) : whole;
            if (deadlocks.takes(line)) {
                continue;
            }
            if (line.startsWith("\"")) {
                add(threads, draft);
                draft = Draft.of(line);
            } else if (draft != null && !line.isBlank()) {
                draft.line(line);
            } else if (draft != null) {
                // the block of owned synchronizers that -l adds comes after a blank line
                draft.stackEnded = true;
            }
        }
        add(threads, draft);
        return new ThreadDump(deadlocks.withDeadlocks(threads));
    }

    private static void add(List<JavaThread> threads, @Nullable Draft draft) {
        if (draft != null && draft.hasJavaState) {
            threads.add(draft.toThread());
        }
    }

    /// File and line of a frame: the text in the brackets of `com.acme.Page.get(Page.java:12)`.
    ///
    /// @return empty if it has none, and for the JDK's modules
    public static Optional<Source> source(String frame) {
        int bracket = frame.indexOf('(');
        String inside = frame.substring(bracket + 1, Math.max(bracket + 1, frame.length() - 1));
        Matcher source = SOURCE.matcher(inside);
        return bracket >= 0 && source.matches()
                ? Optional.of(new Source(source.group(1), Integer.parseInt(source.group(2))))
                : Optional.empty();
    }

    /// The thread's name in the first line of a thread.
    static String nameOf(String line) {
        return line.substring(1, Math.max(1, line.lastIndexOf("\" ")));
    }

    /// The kernel's thread id in the first line of a thread; 0 where it has none.
    static long tidOf(String line) {
        Matcher nid = NID.matcher(line);
        return nid.find() ? Draft.kernelId(nid.group(1)) : Draft.carriersId(line);
    }

    /// Collects the lines of one thread.
    private static final class Draft {
        private final String name;
        private final long tid;
        private final Optional<Double> cpuMs;
        private boolean hasJavaState;
        private boolean stackEnded;
        private int lines;
        private State state = State.RUNNABLE;
        private boolean inJava;
        private final List<String> frames = new ArrayList<>();
        private final List<Optional<Source>> sources = new ArrayList<>();
        private Optional<LockRef> waitsFor = Optional.empty();
        private final List<String> locked = new ArrayList<>();

        private Draft(String name, long tid, Optional<Double> cpuMs) {
            this.name = name;
            this.tid = tid;
            this.cpuMs = cpuMs;
        }

        static Draft of(String line) {
            Matcher cpu = CPU.matcher(line);
            return new Draft(
                    nameOf(line), tidOf(line), cpu.find() ? cpuMs(cpu.group(1)) : Optional.empty());
        }

        private static Optional<Double> cpuMs(String text) {
            OptionalDouble ms = ForeignNumber.decimal(text);
            return ms.isPresent() ? Optional.of(ms.getAsDouble()) : Optional.empty();
        }

        /// The kernel's thread id; 0 if the text is not one, because a thread may choose any name.
        private static long kernelId(String text) {
            return (text.startsWith("0x")
                            ? ForeignNumber.hexadecimal(text)
                            : ForeignNumber.whole(text))
                    .orElse(0);
        }

        /// The kernel's thread id of a carrier. Its line contains the id in square brackets instead
        /// of after `nid=`.
        private static long carriersId(String line) {
            Matcher id = KERNEL_ID.matcher(line);
            return id.find() ? kernelId(id.group(1)) : 0;
        }

        void line(String line) {
            if (lines++ >= MAX_LINES) {
                return;
            }
            String trimmed = line.trim();
            if (stackEnded) {
                Matcher owned = OWNED.matcher(line);
                if (owned.matches()) {
                    locked.add(owned.group(1));
                }
            } else if (trimmed.startsWith(CARRIES)) {
                hasJavaState = true;
            } else if (trimmed.startsWith(MOUNTED)) {
                // the following lines belong to the virtual thread, which is in another dump
                stackEnded = true;
            } else if (trimmed.startsWith("at ")) {
                inJava |= frames.isEmpty() && !trimmed.endsWith(NATIVE_METHOD);
                frames.add(frame(trimmed));
                sources.add(source(trimmed));
            } else if (trimmed.startsWith(STATE)) {
                hasJavaState = true;
                state = state(trimmed.substring(STATE.length()));
            } else if (trimmed.startsWith("- ")) {
                lock(line);
            }
        }

        private static State state(String text) {
            if (text.startsWith("RUNNABLE")) {
                return State.RUNNABLE;
            }
            if (text.startsWith("BLOCKED")) {
                return State.BLOCKED;
            }
            return text.contains("(sleeping)") ? State.SLEEPING : State.WAITING;
        }

        /// `at java.lang.Thread.sleep0(java.base@25.0.3/Native Method)` is
        /// `java.lang.Thread.sleep0`; a class loader's name in front (`at
        /// app//com.acme.Main.run(…)`) is dropped.
        private static String frame(String line) {
            int bracket = line.indexOf('(');
            String name = line.substring(3, bracket < 0 ? line.length() : bracket);
            int loader = name.indexOf("//");
            return loader < 0 ? name : name.substring(loader + 2);
        }

        private void lock(String line) {
            Matcher m = LOCK.matcher(line);
            if (!m.find() || !line.endsWith(")")) {
                return;
            }
            String id = m.group(1);
            String type = line.substring(m.end(), line.length() - 1);
            switch (line.substring(0, m.start()).strip().substring(1).strip()) {
                case "locked" -> locked.add(id);
                case "waiting to lock", "waiting to re-lock in wait()", "parking to wait for" ->
                        waitsFor = Optional.of(new LockRef(id, type));
                case "waiting on" -> locked.remove(id);
                default -> {
                    // such as "eliminated": the compiler removed the lock, so no thread can wait
                    // for it
                }
            }
        }

        JavaThread toThread() {
            // a monitor that the thread waits on is printed as "locked" too, but is not held
            if (state == State.WAITING || state == State.SLEEPING) {
                waitedOn().ifPresent(locked::remove);
            }
            return new JavaThread(
                    name,
                    tid,
                    state,
                    cpuMs,
                    List.copyOf(frames),
                    waitsFor,
                    List.copyOf(locked),
                    inJava,
                    List.copyOf(sources));
        }

        private Optional<String> waitedOn() {
            return frames.isEmpty() || !frames.get(0).startsWith("java.lang.Object.wait")
                    ? Optional.empty()
                    : locked.stream().findFirst();
        }
    }
}
