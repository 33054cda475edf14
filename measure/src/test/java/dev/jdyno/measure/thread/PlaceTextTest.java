package dev.jdyno.measure.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Place.Activity;
import dev.jdyno.measure.thread.Place.LogStep;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class PlaceTextTest {
    private static final Optional<String> FRAME = Optional.of("com.acme.Page.get");
    private static final Place.Lock LOCK =
            new Place.Lock(Optional.of("java.util.Hashtable"), Optional.of("68e0b1c40"), FRAME);

    static Stream<Arguments> places() {
        return Stream.of(
                Arguments.of(
                        Cause.CPU,
                        new Place.Code(Optional.of("java.util.regex.Matcher.find"), FRAME.get()),
                        "java.util.regex.Matcher.find in com.acme.Page.get"),
                Arguments.of(
                        Cause.CPU,
                        new Place.Code(Optional.empty(), FRAME.get()),
                        "com.acme.Page.get"),
                Arguments.of(Cause.CPU, new Place.Code(Optional.empty(), ""), ""),
                Arguments.of(
                        Cause.CPU,
                        new Place.Common(Activity.FILE_IO, FRAME),
                        "file I/O in com.acme.Page.get"),
                Arguments.of(
                        Cause.LOCK, LOCK, "java.util.Hashtable@68e0b1c40 in com.acme.Page.get"),
                Arguments.of(
                        Cause.LOCK,
                        new Place.Lock(Optional.empty(), Optional.empty(), FRAME),
                        "a notification in com.acme.Page.get"),
                Arguments.of(
                        Cause.OTHER,
                        new Place.Notified(LOCK),
                        "waiting for java.util.Hashtable@68e0b1c40 in com.acme.Page.get"),
                Arguments.of(
                        Cause.POOL,
                        new Place.Library("HikariCP", FRAME),
                        "HikariCP in com.acme.Page.get"),
                Arguments.of(Cause.SLEEP, new Place.Library("Guava", Optional.empty()), "Guava"),
                Arguments.of(
                        Cause.NETWORK,
                        new Place.ServerIo("Tomcat", true),
                        "Tomcat waits for its client"),
                Arguments.of(
                        Cause.RUN_QUEUE,
                        new Place.ServerIo("Tomcat", false),
                        "Tomcat waits for a thread without a core"),
                Arguments.of(
                        Cause.LOGGING,
                        new Place.Log("logback", LogStep.FORMATTING, Optional.empty(), FRAME),
                        "logback formatting in com.acme.Page.get"),
                Arguments.of(
                        Cause.LOGGING,
                        new Place.Log(
                                "log4j2", LogStep.FULL_QUEUE, Optional.empty(), Optional.empty()),
                        "log4j2 waiting for a full queue"),
                Arguments.of(
                        Cause.LOGGING,
                        new Place.Log(
                                "logback",
                                LogStep.LOCK,
                                Optional.of(
                                        new Place.Lock(LOCK.type(), LOCK.id(), Optional.empty())),
                                FRAME),
                        "logback waiting for java.util.Hashtable@68e0b1c40 in com.acme.Page.get"),
                Arguments.of(Cause.DOWNSTREAM, new Place.Peer("10.0.0.7:80"), "10.0.0.7:80"),
                Arguments.of(
                        Cause.DATABASE,
                        new Place.Peer(Optional.of("PostgreSQL"), List.of("[0:0:1]:5432")),
                        "PostgreSQL [0:0:1]:5432"),
                Arguments.of(
                        Cause.DOWNSTREAM,
                        new Place.Peer(Optional.of(Place.Peer.CONNECT), List.of("a:80")),
                        "connect to a:80"),
                Arguments.of(
                        Cause.DOWNSTREAM,
                        new Place.Peer(Optional.of("Apache HttpClient"), List.of("a:80", "b:80")),
                        "Apache HttpClient one of a:80, b:80"),
                Arguments.of(
                        Cause.DATABASE,
                        new Place.Peer(Optional.of("MySQL"), List.of()),
                        "MySQL unknown peer"),
                Arguments.of(
                        Cause.FUTURE,
                        new Place.Itself(
                                new Place.Peer(Optional.of("gRPC"), List.of("127.0.0.1:9001"))),
                        "an answer of its own at gRPC 127.0.0.1:9001"));
    }

    @ParameterizedTest
    @MethodSource("places")
    void readsWrittenPlace(Cause cause, Place place, String text) {
        assertThat(place.text()).isEqualTo(text);
        assertThat(PlaceText.place(cause, text)).isEqualTo(place);
    }

    @ParameterizedTest
    @EnumSource
    void readsGeneralActivityOfAnyCause(Activity activity) {
        for (Cause cause : Cause.values()) {
            var place = new Place.Common(activity, FRAME);
            assertThat(PlaceText.place(cause, place.text())).isEqualTo(place);
        }
    }

    /// A file of another version may contain any text.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    LOCK    | a lock with blanks
                    LOGGING | nothing that is known
                    FUTURE  | result
                    OTHER   | waiting for
                    POOL    | ' in '
                    """)
    void placeTextOfAnyFormIsKept(Cause cause, String text) {
        assertThat(PlaceText.place(cause, text).text()).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    downstream: 10.0.0.7:80 in com.acme.Foyer.charge | DOWNSTREAM | false
                    probably sleep: park in com.acme.Harbour.hold    | SLEEP      | true
                    disk: fsync in com.acme.Ledger.add               | DISK       | false
                    """)
    void readsWrittenHolder(String text, Cause cause, boolean guess) {
        Holder holder = PlaceText.holder(text).orElseThrow();

        assertThat(holder.isIn(cause)).isTrue();
        assertThat(holder.isGuess()).isEqualTo(guess);
        assertThat(holder.text()).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"idle", "probably idle", "an asynchronous client"})
    void holderWithoutRequestHasNoCause(String text) {
        Holder holder = PlaceText.holder(text).orElseThrow();

        assertThat(Stream.of(Cause.values())).noneMatch(holder::isIn);
        assertThat(holder.text()).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    com.acme.Page.get                                       | com.acme.Page.get
                    java.util.Hashtable@68e0 in com.acme.Page.get           | java.util.Hashtable com.acme.Page.get
                    exceptions: java.lang.Throwable.<init> in com.acme.Page.get | java.lang.Throwable.<init> com.acme.Page.get
                    Logback waiting for java.lang.Object@1 in com.acme.Page.get | java.lang.Object com.acme.Page.get
                    com.acme.Carts.open, a java.util.HashMap                | com.acme.Carts.open java.util.HashMap
                    HikariCP                                                | ''
                    PostgreSQL 10.0.0.7:5432                                | ''
                    System.gc() for direct memory                           | ''
                    /srv/app.d/lib.x.Jar                                    | ''
                    """)
    void aStoredPlaceNamesClassesAndMethods(String text, String names) {
        Sentence named = PlaceText.named(text);

        assertThat(named.text()).isEqualTo(text);
        assertThat(named.names().stream().map(Sentence.Name::name).collect(Collectors.joining(" ")))
                .isEqualTo(names);
    }
}
