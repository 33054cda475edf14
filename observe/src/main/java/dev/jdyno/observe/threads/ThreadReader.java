package dev.jdyno.observe.threads;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.observe.host.SchedProbe;
import dev.jdyno.observe.sockets.SocketPeers;
import dev.jdyno.observe.sockets.Sockets;
import dev.jdyno.observe.stacks.Classified;
import dev.jdyno.observe.stacks.Frames.Kind;
import dev.jdyno.observe.stacks.StackClassifier;
import dev.jdyno.observe.stacks.ThreadActivity;
import dev.jdyno.observe.stacks.ThreadDump;
import dev.jdyno.target.ProcFs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Reads the threads of a dump: the activity and the peer of each. The peer is known from the
/// socket of the system call in which the thread still is.
public final class ThreadReader {
    /// Maximum number of threads per dump whose socket is looked up; the others share their result.
    private static final int PEERS_PER_DUMP = 64;

    private final ProcFs proc;
    private final long pid;
    private final SocketPeers peers;
    private final StackClassifier classifier;

    /// Threads that were recognised as event loops: a saturated loop may never be found selecting
    /// again.
    private final Set<Identity> loops = new HashSet<>();

    /// Identifies a thread among all that ever existed. If thousands of threads are started, the
    /// kernel gives a worker the id of an ended event loop.
    private record Identity(long tid, String name) {}

    public ThreadReader(ProcFs proc, long pid, StackClassifier classifier) {
        this.proc = proc;
        this.pid = pid;
        this.peers = new SocketPeers(proc, pid);
        this.classifier = classifier;
    }

    /// Number of virtual threads that do not wait for work.
    public double busy(VirtualSample virtual) {
        return virtual.weight()
                * virtual.threads().stream()
                        .filter(t -> classifier.classify(t).doing().isPresent())
                        .count();
    }

    /// Every thread of a dump, platform threads with their peers.
    public List<SampledThread> read(ThreadDump dump, VirtualSample virtual, Sockets sockets) {
        List<SampledThread> seen = new ArrayList<>();
        Map<Long, Long> outer = outerTids(proc, pid);
        int asked = 0;
        for (ThreadDump.JavaThread thread : dump.threads()) {
            Classified classified = asLoop(classifier.classify(withTid(thread, outer)));
            Optional<Sockets.Row> socket = Optional.empty();
            if (isOnSocket(classified) && asked < PEERS_PER_DUMP) {
                asked++;
                socket = peers.inodeOf(classified.thread().tid()).flatMap(sockets::byInode);
            }
            if (socket.isEmpty() && isOn(classified, Kind.SOCKET_WRITE)) {
                // a blocked write is still in its system call after the dump
                classified = classified.running();
            }
            boolean toClient = socket.filter(sockets::isServerSide).isPresent();
            if (toClient && classified.writes()) {
                classified = classified.writingToClient();
                toClient = false;
            }
            seen.add(new SampledThread(classified, socket.map(Sockets.Row::remote), toClient));
        }
        for (ThreadDump.JavaThread thread : virtual.threads()) {
            Classified classified = classifier.classify(thread);
            seen.add(
                    new SampledThread(
                            VirtualThreads.waitsForCarrier(thread)
                                    ? classified.waitingForCarrier()
                                    : classified,
                            Optional.empty(),
                            false,
                            virtual.weight()));
        }
        return seen;
    }

    private Classified asLoop(Classified thread) {
        var identity = new Identity(thread.thread().tid(), thread.thread().name());
        if (thread.loop()) {
            loops.add(identity);
        }
        return loops.contains(identity) ? thread.asLoop() : thread;
    }

    private static boolean isOnSocket(Classified thread) {
        return isOn(thread, Kind.SOCKET_READ)
                || isOn(thread, Kind.SOCKET_WRITE)
                || isOn(thread, Kind.SOCKET_CONNECT);
    }

    private static boolean isOn(Classified thread, Kind how) {
        return thread.doing().flatMap(ThreadActivity::how).filter(h -> h == how).isPresent();
    }

    /// Maps thread ids. A dump contains the ids in the innermost pid namespace; `/proc` here
    /// contains the ids in jdyno's namespace.
    ///
    /// @return ids here by ids in the dump; empty when they are the same
    public static Map<Long, Long> outerTids(ProcFs proc, long pid) {
        if (proc.innerPid(pid) == pid) {
            return Map.of();
        }
        Map<Long, Long> outer = new HashMap<>();
        for (long tid : new SchedProbe(proc, pid, NanoClock.SYSTEM).threads()) {
            ProcFs.text(proc.of(pid).resolve("task/" + tid + "/status"))
                    .flatMap(t -> t.lines().filter(l -> l.startsWith("NSpid:")).findFirst())
                    .map(l -> l.trim().split("\\s+"))
                    .ifPresent(v -> outer.put(Long.parseLong(v[v.length - 1]), tid));
        }
        return outer;
    }

    private static ThreadDump.JavaThread withTid(ThreadDump.JavaThread t, Map<Long, Long> outer) {
        return outer.isEmpty() ? t : t.withTid(outer.getOrDefault(t.tid(), t.tid()));
    }
}
