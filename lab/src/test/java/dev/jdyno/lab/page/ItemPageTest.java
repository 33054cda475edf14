package dev.jdyno.lab.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.lab.page.ItemPage.Form;
import dev.jdyno.lab.service.ProcessOf;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ItemPageTest {
    private static final int KB = 1024;

    private static String page(Form form) {
        return ItemPage.page(form, 7000);
    }

    private static double kilobytes(Form form) {
        return (double) page(form).getBytes(StandardCharsets.UTF_8).length / KB;
    }

    private static String withoutSpace(String html) {
        return html.replaceAll("\\n *", "");
    }

    @Test
    void thePageShrinksFrom170To110Kilobytes() {
        assertThat(kilobytes(Form.FULL)).isCloseTo(170, within(3.0));
        assertThat(kilobytes(Form.APART)).isCloseTo(110, within(3.0));
        assertThat(kilobytes(Form.SQUEEZED)).isLessThan(kilobytes(Form.FULL));
        assertThat(kilobytes(Form.MERGED)).isLessThan(kilobytes(Form.SQUEEZED));
        assertThat(kilobytes(Form.APART)).isLessThan(kilobytes(Form.MERGED));
    }

    @Test
    void squeezingRemovesOnlyWhiteSpace() {
        assertThat(withoutSpace(page(Form.SQUEEZED))).isEqualTo(withoutSpace(page(Form.FULL)));
    }

    @Test
    void jsonDataHasTheValuesOfTheList() {
        Pattern data = Pattern.compile("\\[7005,(\\d+),(\\d+)\\]");
        var values = data.matcher(page(Form.MERGED)).results().findFirst().orElseThrow();

        assertThat(page(Form.SQUEEZED))
                .contains(
                        "alt=\"Item number 7005\"></a><span class=\"price\">"
                                + values.group(1)
                                + "</span><em class=\"sold\">"
                                + values.group(2)
                                + " sold</em>");
    }

    @Tag("full") // reads the whole menu
    @Test
    void menuHasItemsRemovedFromPage() throws IOException {
        try (ProcessOf pages = ProcessOf.started(Pages.class)) {
            String menu = pages.get("/menu").body();

            assertThat(page(Form.MERGED)).contains(menu);
            assertThat(page(Form.APART)).doesNotContain(menu).contains("src=\"/menu\"");
            assertThat(pages.get("/item?form=apart&id=7000").body()).isEqualTo(page(Form.APART));
        }
    }
}
