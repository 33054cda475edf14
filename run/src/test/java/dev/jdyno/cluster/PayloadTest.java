package dev.jdyno.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PayloadTest {
    private static <T> T read(Class<T> type, String json) {
        return Payload.json(type).read(json.getBytes(StandardCharsets.UTF_8));
    }

    private static void refused(Class<?> type, String json) {
        assertThatIllegalArgumentException().isThrownBy(() -> read(type, json));
    }

    /// Such values would cause an exception later, which would look like a failure of the group.
    @Test
    void valuesThatAreNullAreRefused() {
        refused(Member.class, "{\"name\":null,\"facts\":null}");
        refused(Member.class, "{\"name\":\"one\",\"facts\":null}");
        refused(Refusal.class, "{\"kind\":null,\"what\":\"a\",\"why\":\"b\",\"fix\":\"c\"}");
        refused(Refusal.class, "null");
    }

    @Test
    void optionalValuesMayBeNull() {
        assertThat(read(Door.Question.class, "{\"invitation\":null}").invitation()).isEmpty();
    }
}
