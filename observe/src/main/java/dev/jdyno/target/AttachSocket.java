package dev.jdyno.target;

import dev.jdyno.files.Folder;
import dev.jdyno.files.NotTrusted;
import dev.jdyno.files.Stat;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import jdk.net.ExtendedSocketOptions;

/// HotSpot's attach protocol, in pure Java. It uses a UNIX domain socket `.java_pidN` in the
/// target's `/tmp` (N is the pid in the target's own namespace). The JVM opens it on a SIGQUIT if a
/// file `.attach_pidN` exists.
///
/// The design of this class avoids three dangers:
///
/// 1. SIGQUIT kills a JVM that does not catch it (`-Xrs`, still booting): the signal is sent only
///    when `/proc/PID/status` shows that it is caught.
/// 2. JDK 25 answers version 1 by streaming from inside the safepoint (JDK-8319055), so a slow
///    reader stops the target. Version 2 (JDK-8342995) has the option `streaming=0`, which buffers
///    first. Older JVMs answer 101 to it and get version 1, where they always buffer.
/// 3. A process that has the pid of an ended JVM must receive neither a signal nor a command.
///
/// Any local user can create a socket with that name in `/tmp` before the JVM does. So it must be
/// like HotSpot's: a socket of the target's user with mode 0600, checked and connected to by the
/// handle of its folder. The listening process must belong to that user, according to the kernel.
final class AttachSocket implements Jcmd.Door {
    /// HotSpot's ATTACH_ERROR_BADVERSION.
    private static final int BAD_VERSION = 101;

    /// Maximum size of an answer; a larger one is an error. A dump of 20,000 threads is about 20
    /// MB.
    static final int ANSWER_MAX_BYTES = 256 << 20;

    /// The kernel's message for EACCES; Java has no separate exception for it here.
    private static final String MAY_NOT = "Permission denied";

    private static final int SIGQUIT = 3;
    private static final int GROUP_AND_OTHERS = 0077;

    private final ProcFs proc;
    private final NanoClock clock;
    private final long pid;
    private final Optional<String> startTicks;
    private boolean speaksVersion2 = true;

    /// The JVM's answer.
    ///
    /// @param code 0 when it executed the command
    record Answer(int code, String text) {}

    AttachSocket(ProcFs proc, NanoClock clock, long pid) {
        this.proc = proc;
        this.clock = clock;
        this.pid = pid;
        this.startTicks = proc.startTicks(pid);
    }

    /// Sends one command and reads its whole answer.
    ///
    /// @param command an attach operation such as `jcmd`, `load`, `properties`
    /// @param arguments arguments of the command, at most three
    /// @throws UserError when the JVM does not answer within the limit or refuses
    @Override
    public synchronized Answer execute(String command, List<String> arguments, Duration limit)
            throws InterruptedException {
        long deadline = clock.nanos() + limit.toNanos();
        try (Folder tmp = tmp()) {
            String socket = openDoor(tmp, deadline);
            return execute(new Door(tmp, socket), command, arguments, deadline);
        } catch (NotTrusted planted) {
            throw UserError.target(
                            "cannot attach to JVM " + pid,
                            planted.name() + " " + planted.why(),
                            "see who put /tmp/"
                                    + planted.name()
                                    + " there and remove it; nothing"
                                    + " was sent to it")
                    .causedBy(planted);
        } catch (IOException failed) {
            throw refused(
                            failed.getMessage() == null
                                    ? failed.getClass().getSimpleName()
                                    : failed.getMessage())
                    .causedBy(failed);
        }
    }

    /// The socket, as a name in the target's `/tmp`.
    private record Door(Folder tmp, String name) {
        /// A path through the handle of the folder.
        Path path() throws IOException {
            return tmp.path().resolve(name);
        }
    }

    private Folder tmp() throws IOException {
        try {
            return SharedFolder.tmp(proc, pid);
        } catch (NotTrusted notTrusted) {
            throw refused("its " + notTrusted.getMessage()).causedBy(notTrusted);
        }
    }

    private Answer execute(Door socket, String command, List<String> arguments, long deadline)
            throws IOException, InterruptedException {
        if (speaksVersion2) {
            Answer answer = exchange(socket, versionTwo(command, arguments), deadline);
            if (answer.code() != BAD_VERSION) {
                return answer;
            }
            speaksVersion2 = false;
        }
        return exchange(socket, versionOne(command, arguments), deadline);
    }

    private static byte[] versionOne(String command, List<String> arguments) {
        // 1\0jcmd\0Thread.print\0\0\0 : always three arguments
        var request = new StringBuilder("1\0").append(command).append('\0');
        for (int i = 0; i < 3; i++) {
            request.append(i < arguments.size() ? arguments.get(i) : "").append('\0');
        }
        return request.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] versionTwo(String command, List<String> arguments) {
        // 2\0<size>\0jcmd streaming=0\0Thread.print\0
        var body = new StringBuilder(command).append(" streaming=0\0");
        for (String argument : arguments) {
            body.append(argument).append('\0');
        }
        byte[] payload = body.toString().getBytes(StandardCharsets.UTF_8);
        byte[] head = ("2\0" + payload.length + "\0").getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(head.length + payload.length).put(head).put(payload).array();
    }

    private Answer exchange(Door socket, byte[] request, long deadline)
            throws IOException, InterruptedException {
        try (SocketChannel channel = connect(socket, deadline);
                Selector selector = Selector.open()) {
            SelectionKey key = channel.register(selector, SelectionKey.OP_WRITE);
            ByteBuffer out = ByteBuffer.wrap(request);
            while (channel.write(out) >= 0 && out.hasRemaining()) {
                await(selector, deadline);
            }
            key.interestOps(SelectionKey.OP_READ);
            return parse(readToEnd(channel, selector, deadline));
        }
    }

    /// Connects without blocking. A stopped JVM accepts no connection, and once five are waiting a
    /// blocking connect would wait forever.
    private SocketChannel connect(Door socket, long deadline)
            throws IOException, InterruptedException {
        while (true) {
            SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                channel.configureBlocking(false);
                requireOfTarget(socket);
                channel.connect(UnixDomainSocketAddress.of(socket.path()));
                requireListenedByTarget(channel, socket);
                return channel;
            } catch (ConnectException | NotTrusted notListening) {
                channel.close();
                throw notListening;
            } catch (SocketException queueIsFull) {
                channel.close();
                if (String.valueOf(queueIsFull.getMessage()).contains(MAY_NOT)) {
                    throw new IOException(
                            "we may not use its attach socket: its user and root may", queueIsFull);
                }
                if (clock.nanos() > deadline) {
                    throw new IOException(
                            "commands of others wait for it, and its queue is full", queueIsFull);
                }
                Thread.sleep(20);
            }
        }
    }

    private void requireOfTarget(Door socket) throws IOException {
        Stat its =
                socket.tmp()
                        .stat(socket.name())
                        .orElseThrow(() -> new ConnectException("the attach socket is gone"));
        long uid = targetUid();
        if (its.kind() != Stat.Kind.SOCKET) {
            throw new NotTrusted(
                    socket.name(), "in its /tmp is no socket: another user put it there");
        }
        if (its.uid() != uid || (its.mode() & GROUP_AND_OTHERS) != 0) {
            throw new NotTrusted(
                    socket.name(),
                    "in its /tmp is of uid %d with mode %o, where the JVM makes one of uid %d with"
                                    .formatted(its.uid(), its.mode(), uid)
                            + " mode 600: another user put it there");
        }
    }

    /// Requires that the listening process belongs to the owner of the socket. The kernel stores
    /// the user of the process that began to listen.
    private void requireListenedByTarget(SocketChannel channel, Door socket) throws IOException {
        UserPrincipal listens = channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
        UserPrincipal owner = Files.getOwner(socket.path(), LinkOption.NOFOLLOW_LINKS);
        if (!listens.equals(owner)) {
            throw new NotTrusted(
                    socket.name(),
                    "in its /tmp is listened to by " + listens + ", and belongs to " + owner);
        }
    }

    private long targetUid() {
        return proc.effectiveUid(pid).orElseThrow(() -> refused("it ended meanwhile"));
    }

    private void await(Selector selector, long deadline) throws IOException {
        long leftMillis = (deadline - clock.nanos()) / 1_000_000;
        if (leftMillis <= 0) {
            throw new IOException("no answer within the time limit");
        }
        selector.select(leftMillis);
        selector.selectedKeys().clear();
    }

    private byte[] readToEnd(SocketChannel channel, Selector selector, long deadline)
            throws IOException {
        var answer = new ByteArrayOutputStream(1 << 16);
        ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
        while (true) {
            int read = channel.read(buffer);
            if (read < 0) {
                return answer.toByteArray();
            }
            if (read > 0) {
                answer.write(buffer.array(), 0, buffer.position());
                buffer.clear();
                if (answer.size() > ANSWER_MAX_BYTES) {
                    throw new IOException("the answer is larger than " + ANSWER_MAX_BYTES + " B");
                }
                continue;
            }
            await(selector, deadline);
        }
    }

    private static Answer parse(byte[] bytes) throws IOException {
        String text = new String(bytes, StandardCharsets.UTF_8);
        int lineEnd = text.indexOf('\n');
        if (lineEnd < 0) {
            throw new IOException("the JVM closed the connection without an answer");
        }
        try {
            return new Answer(
                    Integer.parseInt(text.substring(0, lineEnd).trim()),
                    text.substring(lineEnd + 1));
        } catch (NumberFormatException notTheProtocol) {
            throw new IOException("not an attach answer: " + text.substring(0, lineEnd));
        }
    }

    /// Makes the JVM listen.
    ///
    /// @return the socket's name
    private String openDoor(Folder tmp, long deadline) throws IOException, InterruptedException {
        long inner = proc.innerPid(pid);
        String socket = ".java_pid" + inner;
        requireAttachAllowed();
        requireSameProcess();
        requireRunning();
        if (tmp.stat(socket).isPresent()) {
            return socket;
        }
        requireCaughtSigquit();
        try (Trigger _ = trigger(".attach_pid" + inner, tmp)) {
            requireSameProcess();
            if (!ProcessSignals.send("QUIT", pid)) {
                throw refused("the signal that opens the door could not be sent");
            }
            while (tmp.stat(socket).isEmpty()) {
                if (!proc.exists(pid)) {
                    throw refused("it ended meanwhile");
                }
                if (clock.nanos() > deadline) {
                    throw refused("it did not open its attach socket within the time limit");
                }
                Thread.sleep(5);
            }
            return socket;
        }
    }

    /// The file that turns a SIGQUIT into an attach request.
    private record Trigger(Folder folder, String name, boolean ours) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            try (folder) {
                if (ours) {
                    folder.remove(name);
                }
            } catch (IOException left) {
                // its working directory vanished with the process: nothing remains
            }
        }
    }

    private Trigger trigger(String name, Folder tmp) {
        IOException last = null;
        for (Opening place : List.<Opening>of(() -> Folder.open(proc.of(pid, "cwd")), tmp::again)) {
            try {
                return triggerIn(place.open(), name);
            } catch (IOException readOnly) {
                last = readOnly;
            }
        }
        throw refused("neither its working directory nor its /tmp can be written (" + last + ")");
    }

    private interface Opening {
        Folder open() throws IOException;
    }

    private static Trigger triggerIn(Folder folder, String name) throws IOException {
        try {
            folder.create(name, new byte[0]);
            return new Trigger(folder, name, true);
        } catch (FileAlreadyExistsException attachInProgress) {
            return new Trigger(folder, name, false);
        } catch (IOException notWritten) {
            folder.close();
            throw notWritten;
        }
    }

    private void requireSameProcess() {
        Optional<String> now = proc.startTicks(pid);
        if (now.isEmpty()) {
            throw refused("it ended meanwhile");
        }
        if (!now.equals(startTicks)) {
            throw refused("it ended meanwhile, and another process has its pid now");
        }
    }

    private void requireCaughtSigquit() {
        String caught = proc.status(pid, "SigCgt").orElseThrow(() -> refused("it ended meanwhile"));
        boolean catches = (Long.parseUnsignedLong(caught, 16) & (1L << (SIGQUIT - 1))) != 0;
        if (!catches) {
            throw refused("it does not catch SIGQUIT (-Xrs, or it is still starting)");
        }
    }

    /// Refuses a stopped JVM: the kernel queues the connection, but the JVM never answers.
    private void requireRunning() {
        boolean stopped =
                proc.stat(pid)
                        .map(s -> s[0])
                        .filter(s -> s.equals("T") || s.equals("t"))
                        .isPresent();
        if (stopped) {
            throw refused("it is stopped (SIGSTOP or a debugger)");
        }
    }

    /// Must be checked before the socket: a JVM that does not allow attaching does not remove the
    /// socket of a killed JVM with the same pid.
    private void requireAttachAllowed() {
        boolean disabled =
                proc.text(pid, "cmdline")
                        .map(c -> c.contains("-XX:+DisableAttachMechanism"))
                        .orElse(false);
        if (disabled) {
            throw refused("it runs with -XX:+DisableAttachMechanism");
        }
    }

    private UserError refused(String why) {
        return UserError.target(
                "cannot attach to JVM " + pid,
                why,
                "run jdyno as the same user or as root, without -Xrs and"
                        + " -XX:+DisableAttachMechanism on the target; the rest is observed anyway");
    }
}
