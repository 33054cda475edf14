package dev.jdyno.lab.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.lab.service.ProcessOf;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BodyPageTest {
    private static ProcessOf pages;

    @BeforeAll
    static void start() throws IOException {
        pages = ProcessOf.started(Pages.class);
    }

    @AfterAll
    static void stop() {
        pages.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ascii", "latin", "chinese"})
    void allEncodingMethodsGiveTheSameBytes(String text) {
        String written = pages.get("/body?as=writer&text=" + text).body();

        assertThat(written.getBytes(StandardCharsets.UTF_8)).hasSize(BodyPage.BYTES);
        assertThat(pages.get("/body?as=encode&text=" + text).body()).isEqualTo(written);
        assertThat(pages.get("/body?as=bytes&text=" + text).body()).isEqualTo(written);
    }

    @Test
    void latinUsesOneBytePerCharacterAndChineseMore() {
        assertThat(pages.get("/body?text=ascii").body().chars().max().orElseThrow())
                .isLessThan(0x80);
        assertThat(pages.get("/body?text=latin").body().chars().max().orElseThrow())
                .isBetween(0x80, 0xff);
        assertThat(pages.get("/body?text=chinese").body().chars().max().orElseThrow())
                .isGreaterThan(0xff);
    }

    @Test
    void unknownEncodingMethodIsRefused() {
        assertThat(pages.get("/body?as=stone").status()).isEqualTo(400);
        assertThat(pages.get("/body?as=stone").body()).contains("writer, encode, bytes");
    }
}
