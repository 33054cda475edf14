package dev.jdyno.load.reply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.load.FailureReason;
import dev.jdyno.measure.load.ReplyRules;
import dev.jdyno.measure.load.Until;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Events by the specification of `text/event-stream`. In the streams of this test, `r` is CR and
/// `n` is LF.
class EventReaderTest {
    private static EventReader reader(boolean stream, Optional<Until> until) {
        var reader = new EventReader(new ReplyRules(true, until, false, Optional.empty()));
        reader.begin(stream);
        return reader;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] stream(String text) {
        return bytes(text.replace("\\r", "\r").replace("\\n", "\n").replace("\\0", "\0"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "data: a\\n\\ndata: b\\n\\n | 2",
                "data: a\\r\\rdata: b\\r\\r | 2",
                "data: a\\r\\n\\r\\ndata: b\\r\\n\\r\\n | 2",
                "data: a\\r\\n\\ndata: b\\n\\r\\n | 2",
                "data: a\\ndata: b\\n\\n | 1",
                "data\\n\\n | 1",
                "data:\\n\\n | 1",
                "data:a\\n\\n\\n\\n | 1",
                "id: 1\\nevent: x\\ndata: a\\n\\n | 1",
                // no data, so no event
                "event: x\\n\\nid: 5\\n\\nretry: 10\\n\\n | 0",
                ": comment\\n\\n:\\n\\n | 0",
                "datas: a\\n\\n dat: a\\n\\nDATA: a\\n\\ndat\\n\\n | 0",
                // the event has no end
                "data: a\\n | 0",
                "data: a | 0",
                // a NUL is a normal character
                "data: \\0\\0\\n\\n | 1",
                "\\0data: a\\n\\n | 0",
                "\uFEFFdata: a\\n\\n | 1",
                "\uFEFF\uFEFFdata: a\\n\\n | 0",
            })
    void eventsAreCountedByTheSpecification(String text, int events) {
        byte[] all = stream(text);
        EventReader whole = reader(true, Optional.empty());
        assertThat(whole.data(all, 0, all.length)).isNull();
        assertThat(whole.take()).isEqualTo(events);

        EventReader apart = reader(true, Optional.empty());
        int sum = 0;
        for (int i = 0; i < all.length; i++) {
            assertThat(apart.data(all, i, 1)).isNull();
            sum += apart.take();
        }
        assertThat(sum).isEqualTo(events);
        assertThat(apart.isOver()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "data: a\\n\\ndata: [DONE]\\n\\n | 1 | true",
                "data:[DONE]\\r\\n | 0 | true",
                "data: a\\ndata: [DONE]\\n\\n | 0 | true",
                "data: say [DONE]\\n\\n | 1 | false",
                "data: [DONE] \\n\\n | 1 | false",
                "data: [DONE\\n\\n | 1 | false",
                "data:  [DONE]\\n\\n | 1 | false",
                "event: [DONE]\\n\\n: [DONE]\\n\\n | 0 | false",
            })
    void dataLineEqualToTheEndTextEndsAStream(String text, int events, boolean over) {
        EventReader reader = reader(true, Optional.of(new Until.Text("[DONE]")));
        for (byte b : stream(text)) {
            assertThat(reader.data(new byte[] {b}, 0, 1)).isNull();
        }

        assertThat(reader.take()).isEqualTo(events);
        assertThat(reader.isOver()).isEqualTo(over);
        assertThat(reader.lacksEnd()).isEqualTo(!over);
    }

    @Test
    void endTextIsFoundAcrossChunksOfOtherReplies() {
        EventReader reader = reader(false, Optional.of(new Until.Text("aab")));
        reader.data(bytes("xaa"), 0, 3);
        reader.chunkOver();
        assertThat(reader.isOver()).isFalse();
        reader.data(bytes("ab"), 0, 2);
        reader.chunkOver();

        assertThat(reader.isOver()).isTrue();
        assertThat(reader.take()).isEqualTo(1);
    }

    @Test
    void aNumberOfEventsEndsAReply() {
        EventReader reader = reader(true, Optional.of(new Until.Events(2)));
        byte[] four = bytes("data: a\n\n".repeat(4));
        reader.data(four, 0, four.length);

        assertThat(reader.take()).isEqualTo(2);
        assertThat(reader.isOver()).isTrue();
        assertThat(reader.lacksEnd()).isFalse();
    }

    @Test
    void resetReaderStartsAgain() {
        EventReader reader = reader(true, Optional.of(new Until.Events(1)));
        byte[] event = bytes("data: a\n\nda");
        reader.data(event, 0, event.length);
        reader.begin(true);
        assertThat(reader.isOver()).isFalse();
        reader.data(event, 0, event.length);

        assertThat(reader.take()).isEqualTo(1);
    }

    private static @Nullable FailureReason fed(byte[] block, int times) {
        EventReader reader = reader(true, Optional.empty());
        @Nullable FailureReason reason = null;
        for (int i = 0; i < times && reason == null; i++) {
            reason = reader.data(block, 0, block.length);
        }
        return reason;
    }

    @Test
    void lengthOfALineAndOfAnEventIsLimited() {
        byte[] endless = bytes("x".repeat(1 << 16));
        byte[] lines = bytes("data: " + "x".repeat(1 << 16) + "\n");
        byte[] nothing = new byte[1 << 16];

        assertThat(fed(endless, 16)).isNull();
        assertThat(fed(endless, 17)).isEqualTo(FailureReason.EVENT_LINE_TOO_LONG);
        assertThat(fed(nothing, 17)).isEqualTo(FailureReason.EVENT_LINE_TOO_LONG);
        assertThat(fed(lines, 255)).isNull();
        assertThat(fed(lines, 256)).isEqualTo(FailureReason.EVENT_TOO_LONG);
        assertThat(fed(bytes(": keep-alive\n\n"), 2_000_000)).isNull();
    }
}
