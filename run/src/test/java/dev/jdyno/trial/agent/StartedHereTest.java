package dev.jdyno.trial.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jdyno.inside.remote.LinkPair;
import dev.jdyno.inside.remote.ObservingSession;
import dev.jdyno.inside.remote.Pace;
import dev.jdyno.inside.remote.RemoteInside;
import dev.jdyno.inside.remote.RemoteLaunch;
import dev.jdyno.inside.remote.Wire;
import dev.jdyno.measure.Eventually;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.trial.recording.RecordingFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Services that an agent starts from its own list of commands, over a link to a real JVM.
class StartedHereTest {
    private static final Wire WIRE = new Wire(RecordingFile.json());
    private static final NanoClock CLOCK = NanoClock.SYSTEM;
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final String SERVER =
            JAVA + " -Xmx64m -m jdk.httpserver -b 127.0.0.1 -p {port} -o none";

    private static ObservingSession session(LinkPair link, String... launches) {
        var problems = new Problems();
        LaunchList list = LaunchList.of(List.of(launches), problems);
        assertThat(problems.isEmpty()).isTrue();
        return ObservingSession.on(
                link.agent(),
                WIRE,
                link.agentClock(),
                new ObservedHere(link.agentClock(), List.of(), list),
                new Pace(link.agentClock()));
    }

    private static LinkPair pair() {
        return new LinkPair(Duration.ofMillis(1), Duration.ofMinutes(7));
    }

    private static RemoteLaunch start(
            LinkPair link, String name, Duration limit, BooleanSupplier stop)
            throws InterruptedException {
        return RemoteLaunch.start(
                new RemoteLaunch.Wanted("app1:4711", name, limit, stop),
                link.coordinator(),
                WIRE,
                CLOCK);
    }

    private static RemoteLaunch start(LinkPair link, String name) throws InterruptedException {
        return start(link, name, Duration.ofMinutes(2), () -> false);
    }

    private static boolean listens(int port) {
        try (var probe = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return probe.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }

    private static boolean runs(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }

    @Tag("full") // two services
    @Test
    void startsByNameObservesAndEnds() throws InterruptedException {
        try (LinkPair link = pair();
                var _ = session(link, "a=" + SERVER)) {
            RemoteLaunch first = start(link, "a");
            assertThat(listens(first.port())).isTrue();
            assertThat(first.inside().attached()).isFalse();
            assertThat(first.inside().facts().means()).contains("proc", "attach", "jfr");
            first.inside().announce(CLOCK.nanos() + 300_000_000);
            assertThat(first.inside().take()).isPresent();
            first.inside().confirmAlive();
            first.inside().close();
            assertThat(listens(first.port())).isFalse();
            Eventually.until("its end", () -> !runs(first.inside().pid()));

            // the second session over the same link
            RemoteLaunch second = start(link, "a");
            assertThat(second.inside().pid()).isNotEqualTo(first.inside().pid());
            assertThat(second.inside().doubts()).isEmpty();
            second.inside().close();
            assertThat(listens(second.port())).isFalse();
        }
    }

    @Test
    void closedSessionEndsService() throws InterruptedException {
        try (LinkPair link = pair()) {
            RemoteLaunch started;
            try (var _ = session(link, "a=" + SERVER)) {
                started = start(link, "a");
                assertThat(runs(started.inside().pid())).isTrue();
            }
            Eventually.until("its end", () -> !runs(started.inside().pid()));
        }
    }

    /// The JVM of a build tool starts the JVM of the service. Only the service is observed.
    @Tag("full") // two JVMs, one after the other
    @Test
    void observesJvmThatListens() throws InterruptedException {
        String launcher =
                JAVA + " -version; sleep 0.5; " + JAVA + " -Xmx32m -m jdk.httpserver -p 0 & ";
        try (LinkPair link = pair();
                var _ = session(link, "a=" + launcher + "exec " + SERVER)) {
            RemoteLaunch started = start(link, "a");
            String command =
                    ProcessHandle.of(started.inside().pid())
                            .flatMap(p -> p.info().commandLine())
                            .orElse("");
            assertThat(command).contains("-p " + started.port());
            started.inside().close();
        }
    }

    @Test
    void refusesNameThatListDoesNotHave() {
        try (LinkPair link = pair();
                var _ = session(link, "a=" + SERVER, "b=" + SERVER)) {
            assertThatExceptionOfType(UserError.class)
                    .isThrownBy(() -> start(link, "c"))
                    .matches(e -> e.kind() == UserError.Kind.USAGE)
                    .withMessageContaining("c")
                    .satisfies(e -> assertThat(e.why()).contains("a, b"));
        }
    }

    @Test
    void agentWithoutListStartsNothing() {
        try (LinkPair link = pair();
                var _ = session(link)) {
            assertThatExceptionOfType(UserError.class)
                    .isThrownBy(() -> start(link, "a"))
                    .satisfies(e -> assertThat(e.fix()).contains("--launch"));
        }
    }

    @Test
    void agentWithListObservesNoOtherJvm() {
        var launches = LaunchList.of(List.of("a=" + SERVER), new Problems());
        var here = new ObservedHere(CLOCK, List.of(), launches);

        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() -> here.open("pid=" + ProcessHandle.current().pid()))
                .satisfies(e -> assertThat(e.fix()).contains("--observe-only"));
    }

    @Test
    void reportsOutputOfCommandThatEnds() {
        try (LinkPair link = pair();
                var _ = session(link, "a=echo no such jar {port}; exit 7")) {
            assertThatExceptionOfType(UserError.class)
                    .isThrownBy(() -> start(link, "a"))
                    .matches(e -> e.kind() == UserError.Kind.TARGET)
                    .satisfies(e -> assertThat(e.what()).contains("7"))
                    .satisfies(e -> assertThat(e.why()).contains("no such jar"))
                    .satisfies(e -> assertThat(e.fix()).contains("--launch a"));
        }
    }

    /// The service listens on another port than the one that it was given.
    @Test
    void serviceThatDoesNotListenIsEnded() throws InterruptedException {
        String wrong = JAVA + " -Xmx32m -Dnot={port} -m jdk.httpserver -p 0 -o none";
        List<Long> before = children();
        try (LinkPair link = pair();
                var _ = session(link, "a=" + wrong)) {
            assertThatExceptionOfType(UserError.class)
                    .isThrownBy(() -> start(link, "a", Duration.ZERO, () -> false))
                    .satisfies(e -> assertThat(e.fix()).contains("{port}"));
            Eventually.until("its end", () -> before.containsAll(children()));
        }
    }

    @Test
    void stoppedRunEndsServiceThatStarts() {
        List<Long> before = children();
        try (LinkPair link = pair();
                var _ = session(link, "a=" + SERVER)) {
            assertThatExceptionOfType(UserError.class)
                    .isThrownBy(() -> start(link, "a", Duration.ofMinutes(2), () -> true));
            Eventually.until("its end", () -> before.containsAll(children()));
        }
    }

    private static List<Long> children() {
        return ProcessHandle.current()
                .descendants()
                .filter(ProcessHandle::isAlive)
                .map(ProcessHandle::pid)
                .toList();
    }

    /// The agent ends the service when no message of the run comes. Requests that fail after that
    /// are not the service's fault.
    @Tag("full") // waits as long as a run does
    @Test
    void nothingCountsAfterLostLink() throws InterruptedException {
        try (LinkPair link = pair();
                var _ = session(link, "a=" + SERVER)) {
            RemoteLaunch started = start(link, "a");
            started.inside().confirmAlive();
            link.cut();
            assertThatExceptionOfType(UserError.class)
                    .isThrownBy(() -> started.inside().confirmAlive())
                    .matches(e -> e.kind() == UserError.Kind.TARGET);
            assertThat(started.inside().isAlive()).isTrue();
        }
    }

    /// Its output is deleted with the service, so only the error can have it.
    @Test
    void errorOfServiceThatEndedHasItsLastLines() throws InterruptedException {
        try (LinkPair link = pair();
                var _ = session(link, "a=echo shop 2.1; exec " + SERVER)) {
            RemoteInside inside = start(link, "a").inside();
            ProcessHandle service = ProcessHandle.of(inside.pid()).orElseThrow();
            service.destroyForcibly();
            Eventually.until("its end", () -> !service.isAlive());

            assertThatExceptionOfType(UserError.class)
                    .isThrownBy(inside::confirmAlive)
                    .satisfies(e -> assertThat(e.why()).contains("shop 2.1"))
                    .satisfies(e -> assertThat(e.fix()).contains("--launch a"));
            Eventually.until("the report of its end", () -> !inside.isAlive());
            assertThatExceptionOfType(UserError.class)
                    .isThrownBy(inside::requireAlive)
                    .satisfies(e -> assertThat(e.why()).contains("shop 2.1"));
        }
    }

    @Test
    void killedServiceIsNotAlive() throws InterruptedException {
        try (LinkPair link = pair();
                var _ = session(link, "a=" + SERVER)) {
            RemoteLaunch started = start(link, "a");
            ProcessHandle service = ProcessHandle.of(started.inside().pid()).orElseThrow();
            service.destroyForcibly();
            Eventually.until("its end", () -> !service.isAlive());
            assertThatExceptionOfType(UserError.class)
                    .isThrownBy(() -> started.inside().confirmAlive())
                    .matches(e -> e.kind() == UserError.Kind.TARGET);
        }
    }
}
