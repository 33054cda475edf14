package dev.jdyno.observe.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.ThreadPlaces;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.observe.sockets.Sockets;
import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Requests of a service to itself: 14 threads of a gateway wait at its own port 9001.
class OwnCallsTest {
    private static final long PID = 42;
    private static final String OWN = "127.0.0.1:9001";
    private static final String OTHER = "10.0.0.7:9000";
    private static final Calls TO_ITSELF = new Calls(PlaceText.peer(OWN), 1, 1, 1);
    private static final Calls TO_OTHER = new Calls(PlaceText.peer(OTHER), 6, 6, 6);

    private static final String LISTENS = "00000000:0000 0A";
    private static final String CALLER = "0100007F:D2F0";
    private static final String PORT = "0100007F:2329";

    @TempDir Path dir;

    private final OwnCalls calls = new OwnCalls();

    @BeforeEach
    void listener() throws IOException {
        Files.createDirectories(dir.resolve("proc/42/fd"));
        Files.createSymbolicLink(dir.resolve("proc/42/fd/5"), Path.of("socket:[900]"));
    }

    private void look(String... connections) throws IOException {
        var table = new StringBuilder("  sl  local_address rem_address   st\n");
        int inode = 900;
        for (String c : List.of(connections)) {
            table.append(
                    "   0: %s 00000000:00000000 00:00000000 00000000     0        0 %d%n"
                            .formatted(c, inode++));
        }
        Files.createDirectories(dir.resolve("proc/42/net"));
        Files.writeString(dir.resolve("proc/42/net/tcp"), table);
        ProcFs proc = new ProcFs(dir.resolve("proc"));
        Sockets sockets = Sockets.read(proc, PID, Sockets.listeners(proc, PID));
        calls.add(sockets);
    }

    private static ThreadPlaces gateway(Cause inTurn) {
        return new ThreadPlaces(
                List.of(
                        pool("gate", 60, 14, Map.of(Cause.FUTURE, 14.0)),
                        pool("rpc", 6, 6, Map.of(inTurn, 6.0))),
                List.of(
                        busy(Cause.FUTURE, "an answer of its own at " + "gRPC-client " + OWN, 14),
                        busy(inTurn, inTurn == Cause.SLEEP ? "sleep" : OTHER, 6)),
                List.of());
    }

    private static ThreadSamples.Pool pool(
            String name, double size, double busy, Map<Cause, Double> d) {
        return new ThreadSamples.Pool(
                name, size, busy, size - busy, (int) (size - busy), true, false, 0, d);
    }

    private static ThreadSamples.Busy busy(Cause cause, String where, double threads) {
        return new ThreadSamples.Busy(cause, PlaceText.place(cause, where), threads);
    }

    @Test
    void callToFullPoolIsWaitForItsTask() throws IOException {
        look(PORT + " " + LISTENS, PORT + " " + CALLER + " 01", CALLER + " " + PORT + " 01");

        ThreadPlaces applied =
                calls.applied(gateway(Cause.DOWNSTREAM), List.of(TO_ITSELF, TO_OTHER));

        assertThat(applied.awaitingItself()).isEqualTo(14);
        assertThat(applied.calls()).containsExactly(TO_OTHER);
    }

    /// A stub in the same JVM that only waits stands for another service.
    @Test
    void callToStubInSameJvmIsDownstreamCall() throws IOException {
        look(PORT + " " + LISTENS, PORT + " " + CALLER + " 01", CALLER + " " + PORT + " 01");

        ThreadPlaces applied = calls.applied(gateway(Cause.SLEEP), List.of(TO_ITSELF));

        assertThat(applied.awaitingItself()).isZero();
        assertThat(applied.byPlace(Cause.DOWNSTREAM))
                .containsOnly(Map.entry(PlaceText.peer("gRPC-client " + OWN), 14.0));
        assertThat(applied.pools().getFirst().doing())
                .containsOnly(Map.entry(Cause.DOWNSTREAM, 14.0));
        assertThat(applied.calls()).containsExactly(TO_ITSELF);
    }

    @Test
    void callToOwnServerPortWaitsForOwnThreads() throws IOException {
        look(
                PORT + " " + LISTENS,
                PORT + " " + CALLER + " 01",
                CALLER + " " + PORT + " 01",
                PORT + " 0100007F:D2F1 01");

        assertThat(calls.applied(gateway(Cause.SLEEP), List.of()).awaitingItself()).isEqualTo(14);
    }

    @Test
    void keepsCallsToOtherServices() throws IOException {
        look(PORT + " " + LISTENS, PORT + " " + CALLER + " 01");

        assertThat(calls.applied(gateway(Cause.SLEEP), List.of(TO_OTHER)).calls())
                .containsExactly(TO_OTHER);
    }
}
