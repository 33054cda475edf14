package dev.jdyno.observe;

import dev.jdyno.measure.UserError;
import dev.jdyno.observe.ThreadDump.JavaThread;
import dev.jdyno.observe.ThreadDump.LockRef;
import dev.jdyno.observe.ThreadDump.State;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Virtual threads, which `Thread.print` does not show: from `Thread.dump_to_file` (JDK 21+), which
/// takes no safepoint. Asked for only where virtual threads run.
final class VirtualThreads {
    /// Stacks kept of one dump, each of a kilobyte or two. The others are in no figure, which is
    /// said.
    static final int AT_MOST = 20_000;

    private static final String PARKS_CARRIER = "java.lang.VirtualThread.parkOnCarrierThread";

    /// It stands right above the park itself: `Unsafe.park`, `parkOnCarrierThread`, `parkNanos`.
    private static final int PARK_FRAMES = 4;

    /// What stands for the thread id that the kernel gives them not.
    static final long TID = 0;

    private static final String CARRIERS = "ForkJoinPool-1-worker";
    private static final String CARRIES = "jdk.internal.vm.Continuation.run";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final ProcFs proc;
    private final Target target;
    private Optional<String> missing = Optional.empty();

    VirtualThreads(ProcFs proc, Target target) {
        this.proc = proc;
        this.target = target;
    }

    /// A target that never ran a virtual thread has neither a scheduler of theirs nor a carrier.
    /// JDK 21 to 23 start the scheduler with the first wait that has an end: where all wait for a
    /// lock, there is only the carrier of the one that runs.
    static boolean runIn(ThreadDump dump) {
        return dump.threads().stream().anyMatch(t -> isScheduler(t.name()) || carries(t));
    }

    private static boolean isScheduler(String name) {
        return name.equals("VirtualThread-unparker")
                || name.startsWith("VirtualThread-unblocker")
                || name.equals("ForkJoinPool-1-delayScheduler")
                || name.equals("Read-Poller")
                || name.equals("Write-Poller")
                || name.equals("MasterPoller");
    }

    /// The virtual threads now; none when this JVM does not tell, and {@link #missing} why.
    List<JavaThread> dump() throws InterruptedException {
        Path seenByTarget = Path.of("/tmp", "jdyno-threads-" + target.pid() + ".json");
        Path here =
                proc.of(target.pid(), "root").resolve("tmp").resolve(seenByTarget.getFileName());
        try {
            String said =
                    target.jcmd()
                            .run("Thread.dump_to_file -overwrite -format=json " + seenByTarget);
            if (!Files.exists(here)) {
                // Failed: java.nio.file.FileSystemException: /tmp/…: Read-only file system
                return unseen(said.strip().lines().findFirst().orElse("it wrote no dump to /tmp"));
            }
            Parsed parsed = parse(Files.readString(here));
            if (parsed.left() > 0) {
                missing =
                        Optional.of(
                                "virtual threads: the stacks of "
                                        + AT_MOST
                                        + " were read of "
                                        + (AT_MOST + parsed.left())
                                        + "; the others are in no figure: means and ms per request"
                                        + " of what they do are too low");
            }
            return parsed.threads();
        } catch (UserError refused) {
            return unseen(refused.why());
        } catch (IOException | JacksonException unreadable) {
            return unseen("its dump cannot be read: " + unreadable.getMessage());
        } finally {
            try {
                Files.deleteIfExists(here);
            } catch (IOException left) {
                // the target's /tmp went away with it
            }
        }
    }

    private List<JavaThread> unseen(String why) {
        missing = Optional.of("virtual threads: " + why + "; what they do was not seen");
        return List.of();
    }

    /// What was not seen of them in the dumps so far.
    Optional<String> missing() {
        return missing;
    }

    /// @param left how many were there beside those
    record Parsed(List<JavaThread> threads, int left) {}

    static Parsed parse(String json) {
        return parse(json, AT_MOST);
    }

    static Parsed parse(String json, int atMost) {
        List<JavaThread> threads = new ArrayList<>();
        int left = 0;
        for (JsonNode container : JSON.readTree(json).path("threadDump").path("threadContainers")) {
            for (JsonNode thread : container.path("threads")) {
                List<String> frames = frames(thread.path("stack"));
                if (!isVirtual(thread, frames)) {
                    continue;
                }
                if (threads.size() == atMost) {
                    left++;
                } else {
                    threads.add(
                            new JavaThread(
                                    name(thread),
                                    TID,
                                    state(thread, frames),
                                    Optional.empty(),
                                    frames,
                                    waitsFor(thread),
                                    locked(thread)));
                }
            }
        }
        return new Parsed(threads, left);
    }

    /// A platform thread that runs virtual ones.
    static boolean isCarrier(JavaThread thread) {
        return thread.name().startsWith(CARRIERS) || thread.frames().contains(CARRIES);
    }

    /// A carrier whose virtual thread is at work, and it is not: the work is the other's.
    static boolean carries(JavaThread thread) {
        return !thread.frames().isEmpty() && thread.frames().getFirst().equals(CARRIES);
    }

    /// A virtual thread that has not begun, or that could go on, and is on no carrier.
    static boolean waitsForCarrier(JavaThread virtual) {
        return virtual.frames().isEmpty() && virtual.state() == State.RUNNABLE;
    }

    /// A virtual thread that waits without letting its carrier go.
    static boolean isPinned(JavaThread virtual) {
        return virtual.frames().stream().limit(PARK_FRAMES).anyMatch(PARKS_CARRIER::equals);
    }

    /// JDK 25 says so; on 21 the bottom frame does.
    private static boolean isVirtual(JsonNode thread, List<String> frames) {
        return thread.path("virtual").asBoolean(false)
                || (!frames.isEmpty() && frames.getLast().equals("java.lang.VirtualThread.run"));
    }

    private static String name(JsonNode thread) {
        String name = thread.path("name").asString("");
        return name.isEmpty() ? "virtual" : name;
    }

    /// `java.base/java.lang.Thread.sleep(Thread.java:540)` is `java.lang.Thread.sleep`.
    private static List<String> frames(JsonNode stack) {
        List<String> frames = new ArrayList<>();
        for (JsonNode line : stack) {
            String frame = line.asString("");
            int bracket = frame.indexOf('(');
            String name = bracket < 0 ? frame : frame.substring(0, bracket);
            int module = name.indexOf('/');
            boolean inModule = module >= 0 && !name.substring(0, module).contains("$$Lambda");
            frames.add(inModule ? name.substring(name.lastIndexOf('/', module) + 1) : name);
        }
        return frames;
    }

    /// JDK 25: `"blockedOn": "java.lang.Object@7b62ae9b"` or `"parkBlocker": {"object":
    /// "java.util.concurrent.locks.ReentrantLock$NonfairSync@1b2c", …}`.
    private static Optional<LockRef> waitsFor(JsonNode thread) {
        String blockedOn = thread.path("blockedOn").asString("");
        String object =
                blockedOn.isEmpty()
                        ? thread.path("parkBlocker").path("object").asString("")
                        : blockedOn;
        int at = object.lastIndexOf('@');
        return at < 0
                ? Optional.empty()
                : Optional.of(new LockRef(object.substring(at + 1), object.substring(0, at)));
    }

    private static List<String> locked(JsonNode thread) {
        List<String> ids = new ArrayList<>();
        for (JsonNode depth : thread.path("monitorsOwned")) {
            for (JsonNode lock : depth.path("locks")) {
                String object = lock.asString("");
                ids.add(object.substring(object.lastIndexOf('@') + 1));
            }
        }
        return ids;
    }

    private static State state(JsonNode thread, List<String> frames) {
        String state = thread.path("state").asString("");
        if (state.isEmpty()) {
            boolean parked =
                    !frames.isEmpty() && frames.get(0).startsWith("java.lang.VirtualThread.park");
            return parked ? State.WAITING : State.RUNNABLE;
        }
        return switch (state) {
            case "RUNNABLE" -> State.RUNNABLE;
            case "BLOCKED" -> State.BLOCKED;
            default -> State.WAITING;
        };
    }
}
