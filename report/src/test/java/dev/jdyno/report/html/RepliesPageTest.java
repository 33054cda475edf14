package dev.jdyno.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.judge.ResultFixture;
import dev.jdyno.measure.load.SlowRequest;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RepliesPageTest {
    private static final String ID = "0af7651916cd43dd8448eb211c80319c";

    private static RepliesPage page(String template) {
        return new RepliesPage(ResultFixture.small().rounds(), Optional.of(template));
    }

    private static Optional<String> link(String template, String id) {
        return page(template).link(new SlowRequest(id, 5, 2));
    }

    @Test
    void roundsWithEarlyFirstByteHaveARow() {
        RepliesPage page = page("https://tempo/trace/{id}");

        assertThat(page.rows()).hasSize(1);
        assertThat(page.hasEvents()).isTrue();
        assertThat(page.traced()).hasSize(1);
    }

    @Test
    void aTraceIdLinksToTheViewer() {
        assertThat(link("https://tempo/trace/{id}?x=1", ID))
                .contains("https://tempo/trace/" + ID + "?x=1");
    }

    /// The page also shows results from other hosts, whose ids may be hostile.
    @Test
    void linksOnlyKnownSchemesAndIds() {
        assertThat(link("javascript:alert('{id}')", ID)).isEmpty();
        assertThat(link("data:text/html,{id}", ID)).isEmpty();
        assertThat(link("https://tempo/trace/{id}", "\" onclick=\"x")).isEmpty();
        assertThat(link("https://tempo/trace/{id}", ID.toUpperCase(java.util.Locale.ROOT)))
                .isEmpty();
    }
}
