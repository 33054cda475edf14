package dev.jdyno.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.jdyno.measure.Eventually;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The port-forward of a program that prints what `kubectl port-forward` prints.
class KubectlForwardTest {
    private static final List<String> PLACE = List.of("--context=test", "--namespace=load");

    @TempDir private Path folder;

    private String program(String script) throws IOException {
        Path program =
                Files.writeString(
                        folder.resolve("kubectl"),
                        "#!/bin/sh\necho $$ > '" + folder.resolve("pid") + "'\n" + script);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return program.toString();
    }

    private PortForward forward(String script) throws IOException {
        return KubectlForward.by(program(script), () -> false)
                .to(PLACE, "shop-1", List.of(8080, 4711));
    }

    /// True once the whole id is in the file.
    private boolean hasStarted() {
        Path pid = folder.resolve("pid");
        try {
            return Files.exists(pid) && Files.readString(pid).endsWith("\n");
        } catch (IOException notYet) {
            return false;
        }
    }

    private Optional<ProcessHandle> started() throws IOException {
        return ProcessHandle.of(Long.parseLong(Files.readString(folder.resolve("pid")).strip()))
                .filter(ProcessHandle::isAlive);
    }

    @Test
    void readsForwardedPortsAndEndsWithTheInputOfTheShell() throws IOException {
        PortForward forward =
                forward(
                        """
                        echo "$@" > '%s'
                        echo 'Forwarding from 127.0.0.1:40001 -> 8080'
                        echo 'Forwarding from 127.0.0.1:40002 -> 4711'
                        echo 'Handling connection for 40001'
                        exec sleep 1000
                        """
                                .formatted(folder.resolve("words")));

        assertThat(forward.local(8080)).isEqualTo(40_001);
        assertThat(forward.local(4711)).isEqualTo(40_002);
        assertThat(Files.readString(folder.resolve("words")).strip())
                .isEqualTo(
                        "--context=test --namespace=load port-forward --address=127.0.0.1"
                                + " pod/shop-1 :8080 :4711");
        assertThat(forward.ended()).isEmpty();
        assertThat(started()).isPresent();
        forward.close();
        assertThat(started()).isEmpty();
    }

    /// A later line cannot move a port that is in use, and other hosts are no loopback device.
    @Test
    void onlyTheFirstPortOfTheLoopbackDeviceCounts() throws IOException {
        try (PortForward forward =
                forward(
                        """
                        echo 'Forwarding from 10.0.0.1:40009 -> 8080'
                        echo 'Forwarding from 127.0.0.1:99999 -> 8080'
                        echo 'Forwarding from 127.0.0.1:40001 -> 8080'
                        echo 'Forwarding from 127.0.0.1:40003 -> 8080'
                        head -c 100000 /dev/zero
                        echo
                        echo 'Forwarding from 127.0.0.1:40002 -> 4711'
                        exec sleep 1000
                        """)) {
            assertThat(List.of(forward.local(8080), forward.local(4711)))
                    .containsExactly(40_001, 40_002);
        }
    }

    @Test
    void theReasonOfItsEndIsReported() throws IOException {
        String script =
                """
                echo 'error: pods "shop-1" is forbidden: cannot create pods/portforward' >&2
                exit 1
                """;

        UserError refused = catchThrowableOfType(UserError.class, () -> forward(script).close());

        assertThat(refused.kind()).isEqualTo(UserError.Kind.TARGET);
        assertThat(refused.why()).contains("cannot create pods/portforward");
    }

    @Test
    void anEndDuringTheRunIsNoticed() throws IOException {
        Path end = folder.resolve("end");
        try (PortForward forward =
                forward(
                        """
                        echo 'Forwarding from 127.0.0.1:40001 -> 8080'
                        echo 'Forwarding from 127.0.0.1:40002 -> 4711'
                        until [ -e '%s' ]; do sleep 0.1; done
                        echo 'error: lost connection to pod' >&2
                        """
                                .formatted(end))) {
            Files.createFile(end);

            Eventually.until("it has ended", () -> forward.ended().isPresent());

            assertThat(forward.ended().orElseThrow()).contains("lost connection to pod");
        }
    }

    /// The child has the error output of `kubectl`, as a plugin for credentials can have it.
    @Test
    void aChildWithOpenErrorOutputDoesNotHideTheEnd() throws IOException {
        Path child = folder.resolve("child");
        try (PortForward forward =
                forward(
                        """
                        echo 'Forwarding from 127.0.0.1:40001 -> 8080'
                        echo 'Forwarding from 127.0.0.1:40002 -> 4711'
                        sleep 1000 >/dev/null &
                        echo $! > '%s'
                        echo 'error: lost connection to pod' >&2
                        """
                                .formatted(child))) {
            CompletableFuture<String> why =
                    CompletableFuture.supplyAsync(() -> {
                        Eventually.until("the end", () -> forward.ended().isPresent());
                        return forward.ended().orElseThrow();
                    });

            Eventually.until("the reason", why::isDone);

            assertThat(why.join()).contains("lost connection to pod");
        } finally {
            ProcessHandle.of(Long.parseLong(Files.readString(child).strip()))
                    .ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    @Test
    void aSignalEndsTheWaitAndTheProgram() throws IOException {
        String program = program("exec sleep 1000\n");
        UserError ended =
                catchThrowableOfType(
                        UserError.class,
                        () ->
                                KubectlForward.by(program, this::hasStarted)
                                        .to(PLACE, "shop-1", List.of(8080))
                                        .close());

        assertThat(ended.why()).contains("interrupted");
        Eventually.until("the program has ended", () -> started().isEmpty());
    }
}
