package dev.jdyno.lab.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.lab.service.ProcessOf;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class TemplatePageTest {
    private static ProcessOf pages;

    @BeforeAll
    static void start() throws IOException {
        pages = ProcessOf.started(Pages.class);
    }

    @AfterAll
    static void stop() {
        pages.close();
    }

    private static String page(int page, String engine) {
        return pages.get("/template?page=" + page + "&engine=" + engine).body();
    }

    @Test
    void allEnginesGiveTheSameBytes() {
        for (int i = 0; i < TemplatePage.PAGES.size(); i++) {
            String interpreted = page(i, "velocity");

            assertThat(page(i, "compiled")).as("page %d", i).isEqualTo(interpreted);
            assertThat(page(i, "binary")).as("page %d", i).isEqualTo(interpreted);
        }
    }

    @Test
    void thirteenPagesHaveTheSizesThatWerePublished() {
        double[] kilobytes =
                IntStream.range(0, TemplatePage.PAGES.size())
                        .mapToDouble(i ->
                                page(i, "binary").getBytes(StandardCharsets.UTF_8).length / 1024.0)
                        .toArray();

        assertThat(kilobytes).hasSize(13);
        assertThat(DoubleStream.of(kilobytes).min().orElseThrow()).isCloseTo(47, within(4.0));
        assertThat(DoubleStream.of(kilobytes).max().orElseThrow()).isCloseTo(144, within(4.0));
    }

    @Test
    void thePageShowsItsItems() {
        assertThat(page(12, "velocity"))
                .contains("<title>Thirteen pages</title>", "<td>商品：商品 900</td>")
                .doesNotContain("$");
        assertThat(pages.get("/template?page=13").status()).isEqualTo(400);
    }
}
