package dev.jdyno.observe.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.ThreadPlaces;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.stacks.StackClassifier;
import dev.jdyno.observe.stacks.ThreadDump.JavaThread;
import dev.jdyno.observe.stacks.ThreadDump.State;
import dev.jdyno.observe.threads.SampledThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// A booking service writes to PostgreSQL and calls a partner, with one connection for each.
class StrayPeersTest {
    private static final String PARTNER = "127.0.0.1:22031";
    private static final String POSTGRES = "127.0.0.1:22032";
    private static final Calls KNOWN =
            new Calls(PlaceText.peer("PostgreSQL " + POSTGRES), 10, 7, 10, true);

    private final StackClassifier classifier = new StackClassifier(Frames.builtIn());
    private final ThreadSampleTally tally = new ThreadSampleTally();
    private long threads;

    private SampledThread seen(String peer, String... above) {
        List<String> stack =
                new ArrayList<>(
                        List.of("sun.nio.ch.Net.poll", "sun.nio.ch.NioSocketImpl.implRead"));
        stack.addAll(List.of(above));
        stack.addAll(List.of("com.acme.Bookings.book", "jakarta.servlet.http.HttpServlet.service"));
        return new SampledThread(
                classifier.classify(
                        new JavaThread(
                                "http-" + ++threads,
                                threads,
                                State.RUNNABLE,
                                Optional.empty(),
                                stack,
                                Optional.empty(),
                                List.of())),
                Optional.of(peer).filter(p -> !p.isEmpty()),
                false);
    }

    private SampledThread query(String peer) {
        return seen(
                peer,
                "org.postgresql.core.v3.QueryExecutorImpl.execute",
                "org.postgresql.jdbc.PgStatement.execute");
    }

    private SampledThread asks(String peer) {
        return seen(peer, "com.acme.Partner.authorise");
    }

    private ThreadPlaces census(Calls... calls) {
        tally.downstreams(Set.of(PARTNER, POSTGRES));
        tally.correctPeers(List.of(calls));
        return tally.places(100, Map.of(), 0);
    }

    @Test
    void attributesStrayDriverThreadToItsDatabase() {
        tally.add(List.of(asks(PARTNER), asks(PARTNER), query(PARTNER)));

        assertThat(
                        census(KNOWN, new Calls(PlaceText.peer(PARTNER), 10, 9, 10))
                                .byPlace(Cause.DATABASE))
                .containsOnly(Map.entry(PlaceText.peer("PostgreSQL " + POSTGRES), 1.0));
    }

    @Test
    void assumesTheOnlyDatabaseOfItsKind() {
        tally.add(List.of(query("")));

        assertThat(census(KNOWN).byPlace(Cause.DATABASE))
                .containsOnly(Map.entry(PlaceText.peer("PostgreSQL " + POSTGRES), 1.0));
    }

    @Test
    void attributesStrayClientThreadToUsualPeerOfItsStack() {
        tally.add(List.of(asks(PARTNER), asks(PARTNER), asks(POSTGRES)));

        assertThat(census(KNOWN).byPlace(Cause.DOWNSTREAM))
                .containsOnly(Map.entry(PlaceText.peer(PARTNER), 3.0));
    }

    /// A connection pooler in front of PostgreSQL listens on an unusual port.
    @Test
    void mostDriverThreadsIdentifyDatabase() {
        tally.add(List.of(query(PARTNER), query(PARTNER), asks(PARTNER)));

        assertThat(census(KNOWN).byPlace(Cause.DATABASE))
                .containsOnly(Map.entry(PlaceText.peer("PostgreSQL " + PARTNER), 2.0));
    }

    @Test
    void applicationClientMayReadFromDatabase() {
        tally.add(List.of(asks(POSTGRES), asks(POSTGRES)));

        assertThat(census(KNOWN).byPlace(Cause.DOWNSTREAM))
                .containsOnly(Map.entry(PlaceText.peer(POSTGRES), 2.0));
    }

    @Test
    void changesNothingWithoutKnownDatabase() {
        tally.add(List.of(asks(PARTNER), asks(PARTNER), query(PARTNER)));

        assertThat(census(new Calls(PlaceText.peer(PARTNER), 10, 9, 10)).byPlace(Cause.DATABASE))
                .containsOnly(Map.entry(PlaceText.peer("PostgreSQL " + PARTNER), 1.0));
    }
}
