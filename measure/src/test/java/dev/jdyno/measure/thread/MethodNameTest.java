package dev.jdyno.measure.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MethodNameTest {
    @ParameterizedTest
    @CsvSource({
        "com.acme.Foo.bar, com.acme.Foo, bar",
        "com.acme.Foo::bar, com.acme.Foo, bar",
        "' Foo.bar ', Foo, bar",
        "com.acme.Foo$In.<init>, com.acme.Foo$In, <init>",
        "a.B$1.lambda$run$0, a.B$1, lambda$run$0",
    })
    void acceptsMethodWithClass(String text, String type, String method) {
        assertThat(MethodName.parse(text)).isEqualTo(new MethodName(type, method));
        assertThat(MethodName.parse(MethodName.parse(text).toString()))
                .isEqualTo(new MethodName(type, method));
    }

    /// Names with options of async-profiler, with XML of the flight recorder, or with patterns of
    /// either.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "bar",
                "Foo.",
                ".bar",
                "Foo.bar,file=/etc/cron.d/x",
                "Foo.bar:0ns,loop=1s",
                "Foo.*",
                "*.bar",
                "Foo.bar;Baz.bar",
                "Foo.bar\n",
                "Foo\n.bar",
                "Foo.bar baz",
                "Foo.<clinit>",
                "Foo</setting>.bar",
                "Foo.1bar",
                "@com.acme.Annotated.bar",
                "com/acme/Foo.bar",
                "a::b::c"
            })
    void refusesOtherNames(String text) {
        if (!text.strip().equals(text)) {
            // on a command line, surrounding blanks are removed; in a message they are not
            assertThat(MethodName.parse(text).toString()).isEqualTo(text.strip());
        } else {
            assertThatIllegalArgumentException().isThrownBy(() -> MethodName.parse(text));
        }
        int dot = Math.max(0, text.lastIndexOf('.'));
        String method = text.substring(Math.min(text.length(), dot + 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new MethodName(text.substring(0, dot), method));
    }

    @Test
    void aNameIsNoLongerThanAnyThatCompilersMake() {
        assertThatIllegalArgumentException().isThrownBy(() -> new MethodName("a".repeat(300), "b"));
    }
}
