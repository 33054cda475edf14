package dev.jdyno.measure.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplyRulesTest {
    @Test
    void ruleEndsAReplyAtATextANumberOrATime() {
        assertThat(Until.parse("[DONE]")).isEqualTo(new Until.Text("[DONE]"));
        assertThat(Until.parse("20 events")).isEqualTo(new Until.Events(20));
        assertThat(Until.parse("1 event")).isEqualTo(new Until.Events(1));
        assertThat(Until.parse("1.5s")).isEqualTo(new Until.Time(Duration.ofMillis(1500)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[DONE]", "20 events", "1 event", "1.5s", "250us", "a b"})
    void readsWrittenRule(String text) {
        Until rule = Until.parse(text);

        assertThat(Until.parse(rule.form())).isEqualTo(rule);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "20", "1.5", "0 events", "0s", "a\nb", "a\0"})
    void invalidRulesAreRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Until.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "http://tempo/trace/",
                "http://tempo/{id}/{id}",
                "http://{id}/trace",
                "http://tempo{id}.example/trace",
                "javascript:alert('{id}')",
                "file:///{id}",
                "//tempo/{id}",
                "http:///{id}",
                "http://user:secret@tempo/{id}",
                "http://tempo/a b/{id}"
            })
    void invalidTraceAddressesAreRefused(String template) {
        assertThatIllegalArgumentException().isThrownBy(() -> ReplyRules.requireTemplate(template));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://tempo/trace/{id}",
                "HTTPS://[::1]:3000/explore?left={id}&x=%7B%22a%22%7D#top"
            })
    void traceAddressHasExactlyOneId(String template) {
        assertThat(ReplyRules.link(template, "0".repeat(31) + "a"))
                .contains(template.replace("{id}", "0".repeat(31) + "a"));
    }
}
