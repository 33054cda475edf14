package dev.jdyno.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jdyno.files.Folder;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttachSocketTest {
    private static final long PID = 42;

    private static final Duration LIMIT = Duration.ofSeconds(1);

    @TempDir private Path dir;

    @BeforeEach
    void aProcess() throws IOException {
        Files.createDirectories(dir.resolve("42/root/tmp"));
        Files.writeString(dir.resolve("42/cmdline"), "java\0-jar\0app.jar\0");
        long uid = Folder.ownUid();
        Files.writeString(
                dir.resolve("42/status"),
                "Uid:\t%d\t%d\t%d\t%d\nGid:\t0\t0\t0\t0\n".formatted(uid, uid, uid, uid));
        startedAt(1000);
    }

    private void startedAt(int ticks) throws IOException {
        Files.writeString(
                dir.resolve("42/stat"), "42 (java) S" + " 1".repeat(18) + " " + ticks + " 0 0\n");
    }

    private AttachSocket socket() {
        return new AttachSocket(new ProcFs(dir), NanoClock.SYSTEM, PID);
    }

    @Test
    void sendsNothingToLaterProcessWithSamePid() throws IOException {
        AttachSocket socket = socket();
        startedAt(2000);

        assertThatThrownBy(() ->
                        socket.execute("jcmd", List.of("Thread.print"), Duration.ofSeconds(1)))
                .isInstanceOfSatisfying(
                        UserError.class,
                        e -> assertThat(e.why()).contains("another process has its pid now"));
    }

    private static void fill(Path door, List<SocketChannel> waiting) throws IOException {
        while (waiting.size() < 100) {
            SocketChannel one = SocketChannel.open(StandardProtocolFamily.UNIX);
            one.configureBlocking(false);
            waiting.add(one);
            try {
                one.connect(UnixDomainSocketAddress.of(door));
            } catch (SocketException full) {
                return;
            }
        }
        throw new IOException("the queue never got full");
    }

    @Test
    void stopsWaitingForUnresponsiveJvmAtLimit() throws IOException {
        Path door = dir.resolve("42/root/tmp/.java_pid42");
        List<SocketChannel> waiting = new ArrayList<>();
        try (var stopped = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            stopped.bind(UnixDomainSocketAddress.of(door), 1);
            Files.setPosixFilePermissions(door, PosixFilePermissions.fromString("rw-------"));
            fill(door, waiting);

            assertThatThrownBy(() ->
                            socket().execute(
                                            "jcmd",
                                            List.of("Thread.print"),
                                            Duration.ofMillis(200)))
                    .isInstanceOfSatisfying(
                            UserError.class,
                            e -> assertThat(e.why()).contains("its queue is full"));
        } finally {
            for (SocketChannel one : waiting) {
                one.close();
            }
        }
    }

    private void refuses(String planted, Predicate<String> why) {
        assertThatThrownBy(() -> socket().execute("jcmd", List.of("VM.version"), LIMIT))
                .as(planted)
                .isInstanceOfSatisfying(UserError.class, e -> assertThat(e.why()).matches(why));
    }

    /// Any user who may write to `/tmp` may create a file there before the JVM opens its socket.
    @Test
    void refusesSocketOfOtherUser() throws Exception {
        Path door = dir.resolve("42/root/tmp/.java_pid42");
        Files.writeString(door, "x");
        refuses("a file", w -> w.contains("no socket"));
        Files.delete(door);
        Files.createSymbolicLink(door, Path.of("/tmp"));
        refuses("a link", w -> w.contains("no socket"));
        Files.delete(door);

        try (var planted = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            planted.bind(UnixDomainSocketAddress.of(door));
            Files.setPosixFilePermissions(door, PosixFilePermissions.fromString("rw-rw-rw-"));
            refuses("a socket that others may use", w -> w.contains("mode 666"));
            assumeTrue(Folder.ownUid() == 0, "only root gives files away");
            Files.setPosixFilePermissions(door, PosixFilePermissions.fromString("rw-------"));
            Files.setAttribute(door, "unix:uid", 12345);
            refuses("a socket of another user", w -> w.contains("uid 12345"));
            assertThat(planted.configureBlocking(false)).isNotNull();
            assertThat(planted.accept()).as("nobody connected").isNull();
        }
    }

    /// The file of the socket belongs to the target's user, but another user listens on it.
    @Test
    void trustsKernelAboutListener() throws Exception {
        assumeTrue(Folder.ownUid() == 0, "only root runs others' processes");
        Path tmp = dir.resolve("42/root/tmp");
        Path door = tmp.resolve(".java_pid42");
        Files.setAttribute(tmp, "unix:mode", 01777);
        for (Path way : List.of(dir, dir.resolve("42"), dir.resolve("42/root"))) {
            Files.setAttribute(way, "unix:mode", 0755);
        }
        Path program =
                Files.writeString(
                        dir.resolve("Listens.java"),
                        """
                        import java.net.StandardProtocolFamily;
                        import java.net.UnixDomainSocketAddress;
                        import java.nio.channels.ServerSocketChannel;
                        public class Listens {
                            public static void main(String[] a) throws Exception {
                                var s = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
                                s.bind(UnixDomainSocketAddress.of(a[0]));
                                System.out.println("ready");
                                System.in.read();
                            }
                        }
                        """);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rw-r--r--"));
        Process other =
                new ProcessBuilder(
                                "setpriv",
                                "--reuid=12345",
                                "--clear-groups",
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                program.toString(),
                                door.toString())
                        .redirectErrorStream(true)
                        .start();
        try {
            assertThat(other.inputReader().readLine()).isEqualTo("ready");
            Files.setAttribute(door, "unix:uid", 0);
            Files.setPosixFilePermissions(door, PosixFilePermissions.fromString("rw-------"));

            refuses("a listener of another user", w -> w.contains("listened to by"));
        } finally {
            other.getOutputStream().close();
            other.waitFor();
        }
    }
}
