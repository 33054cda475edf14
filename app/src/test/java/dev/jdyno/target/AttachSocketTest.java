package dev.jdyno.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.files.Folder;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.UserError;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttachSocketTest {
    private static final long PID = 42;

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
    void anotherProcessThatGotThePidIsSentNothing() throws IOException {
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
    void aJvmThatTakesNoCommandInIsNotWaitedForBeyondTheLimit() throws IOException {
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
}
