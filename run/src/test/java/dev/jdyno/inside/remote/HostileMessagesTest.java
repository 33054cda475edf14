package dev.jdyno.inside.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.Eventually;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.MethodName;
import dev.jdyno.trial.recording.RecordingFile;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Messages over the link that violate the protocol.
class HostileMessagesTest {
    private static final Wire WIRE = new Wire(RecordingFile.json());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{",
                "{\"version\":2,\"id\":1,\"ask\":\"Facts\"}",
                "{\"version\":1,\"id\":1,\"ask\":\"Facts\",\"body\":{}}",
                "{\"version\":2,\"id\":1,\"ask\":\"java.lang.Runtime\",\"body\":{}}",
                "{\"version\":2,\"id\":1,\"ask\":\"Cut\",\"body\":{\"atNanos\":\"soon\"}}",
                "{\"version\":2,\"id\":1,\"ask\":\"Waits\",\"body\":{\"span\":{\"fromNanos\":2,"
                        + "\"toNanos\":1},\"concurrency\":1,\"qps\":1}}",
                // texts that would reach the options of profilers
                "{\"version\":2,\"id\":1,\"ask\":\"Stages\",\"body\":{\"methods\":[{\"type\":\"A\","
                        + "\"method\":\"b,file=/tmp/x\"}],\"window\":\"PT1S\"}}",
                "{\"version\":2,\"id\":1,\"ask\":\"Stages\",\"body\":{\"methods\":[{\"type\":\"*\","
                        + "\"method\":\"b\"}],\"window\":\"PT1S\"}}",
                "{\"version\":2,\"id\":1,\"ask\":\"Stages\",\"body\":{\"methods\":[\"A.b\"],"
                        + "\"window\":\"PT1S\"}}",
                // invalid names of commands
                "{\"version\":2,\"id\":1,\"ask\":\"Launch\",\"body\":{}}",
                "{\"version\":2,\"id\":1,\"ask\":\"Launch\",\"body\":{\"name\":\"\"}}",
                "{\"version\":2,\"id\":1,\"ask\":\"Launch\",\"body\":{\"name\":\"a b\"}}",
                "{\"version\":2,\"id\":1,\"ask\":\"Launch\",\"body\":{\"name\":\"a;id\"}}",
                "{\"version\":2,\"id\":1,\"ask\":\"Launch\",\"body\":{\"name\":\"../a\"}}",
                "{\"version\":2,\"id\":1,\"ask\":\"Launch\",\"body\":{\"name\":\"a\\n\"}}",
                "{\"version\":2,\"id\":1,\"ask\":\"Launch\",\"body\":{\"name\":\"-XX:+UseZGC\"}}",
                "{\"version\":2,\"id\":1,\"ask\":\"Launch\",\"body\":{\"name\":[\"a\",\"b\"]}}",
                "{\"version\":2,\"id\":1,\"ask\":\"Launch\",\"body\":{\"name\":"
                        + "\"aaaaaaaaaabbbbbbbbbbccccccccccddddddddddX\"}}",
                // a thousand thread dumps at once
                "{\"version\":2,\"id\":1,\"ask\":\"Sample\",\"body\":{\"window\":\"PT0.001S\","
                        + "\"dumps\":1000}}",
            })
    void refusesInvalidMessage(String message) {
        byte[] bytes = message.getBytes(StandardCharsets.UTF_8);

        assertThatThrownBy(() -> WIRE.readAsk(bytes)).isInstanceOf(Wire.Unreadable.class);
    }

    @Test
    void methodsToTimeArriveUnchanged() throws Wire.Unreadable {
        var ask =
                new Ask.Stages(
                        List.of(new MethodName("com.acme.Foo$In", "<init>")),
                        Duration.ofSeconds(3));

        assertThat(WIRE.readAsk(WIRE.ask(1, ask)).ask()).isEqualTo(ask);
    }

    @Test
    void nothingButTheNameOfACommandIsRead() throws Wire.Unreadable {
        String message =
                "{\"version\":2,\"id\":1,\"ask\":\"Launch\",\"body\":{\"name\":\"a-1\","
                        + "\"command\":\"id\",\"port\":1,\"flags\":[\"-Xint\"]}}";

        Ask ask = WIRE.readAsk(message.getBytes(StandardCharsets.UTF_8)).ask();

        assertThat(ask).isEqualTo(new Ask.Launch("a-1"));
        assertThat(Ask.Launch.class.getRecordComponents()).hasSize(1);
        assertThat(Ask.Begin.class.getRecordComponents()).isEmpty();
    }

    /// Load would be sent to the port that a compromised agent names.
    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 22, 1023, 65_536})
    void refusesPortThatNoServiceOfAnyUserGets(int port) {
        JsonNode body = WIRE.json().valueToTree(Map.of("port", port));

        assertThatThrownBy(() -> WIRE.convert(body, Wire.Launched.class))
                .isInstanceOf(Wire.Unreadable.class);
    }

    @Test
    void aMessageThatIsTooLongIsNotRead() {
        assertThatThrownBy(() -> WIRE.readAsk(new byte[Wire.MAX_BYTES + 1]))
                .isInstanceOf(Wire.Unreadable.class);
    }

    /// Bytes of real messages with random changes.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void noChangeOfAMessageEndsTheReader(long seed) {
        var random = new Random(seed);
        byte[] real = WIRE.ask(7, new Ask.Sample(Duration.ofSeconds(4), 12));
        for (int i = 0; i < 2000; i++) {
            byte[] changed = real.clone();
            for (int n = random.nextInt(1, 4); n > 0; n--) {
                changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
            }
            try {
                assertThat(WIRE.readAsk(changed).ask()).isNotNull();
            } catch (Wire.Unreadable expected) {
                assertThat(expected.getMessage()).isNotNull();
            }
        }
    }

    @Test
    void agentRefusesGarbageAndContinues() throws InterruptedException {
        List<byte[]> answers = new CopyOnWriteArrayList<>();
        try (var link = new LinkPair(Duration.ZERO, Duration.ZERO);
                var _ =
                        ObservingSession.on(
                                link.agent(),
                                WIRE,
                                NanoClock.SYSTEM,
                                which -> {
                                    throw UserError.usage("none", which, "none");
                                },
                                new Pace(NanoClock.SYSTEM))) {
            link.coordinator().receive(answers::add);
            assertThat(link.coordinator().send("garbage".getBytes(StandardCharsets.UTF_8)))
                    .isTrue();
            assertThat(link.coordinator().send(WIRE.ask(3, new Ask.Facts()))).isTrue();
            assertThat(link.coordinator().send(WIRE.ask(4, new Ask.Open("pid=1")))).isTrue();
            Eventually.until("three answers", () -> answers.size() >= 3);
        }
        assertThat(answers.stream().map(HostileMessagesTest::answer).toList())
                .allMatch(t -> t.kind() == Wire.Kind.FAILURE)
                .extracting(Wire.ToCoordinator::id)
                .containsExactly(0L, 3L, 4L);
    }

    private static Wire.ToCoordinator answer(byte[] message) {
        try {
            return WIRE.readAnswer(message);
        } catch (Wire.Unreadable broken) {
            throw new AssertionError(broken);
        }
    }
}
