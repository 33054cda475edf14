package dev.jdyno.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.judge.ResultFixture;
import dev.jdyno.report.html.HtmlReport;
import dev.jdyno.report.words.Glossary.Part;
import java.util.List;
import org.junit.jupiter.api.Test;

class GlossaryTest {
    @Test
    void idsStandApartFromTheirTextAndAreExplained() {
        List<Part> parts = Glossary.parts("fits a survivor (F11, E20)");

        assertThat(parts.stream().map(Part::text))
                .containsExactly("fits a survivor (", "F11", ", ", "E20", ")");
        assertThat(parts.get(1).means()).startsWith("F11: the dynamic age");
        assertThat(parts.get(3).means()).contains("E20", "published experiment");
        assertThat(parts.get(0).means()).isEmpty();
    }

    @Test
    void explainsEveryFormulaWithoutOtherIds() {
        for (int i = 1; i <= 15; i++) {
            assertThat(Glossary.parts("F" + i).getFirst().means()).startsWith("F" + i + ": ");
        }
        assertThat(Glossary.parts("F16 and SF1, F1a, E").getFirst().means()).isEmpty();
        assertThat(Glossary.parts("F16 and SF1, F1a, E")).hasSize(1);
        assertThat(Glossary.parts("N threads, N* and Knees")).hasSize(1);
        assertThat(Glossary.parts("")).isEmpty();
    }

    @Test
    void pageExplainsIdsAndChanges() {
        String page = HtmlReport.render(ResultFixture.e1(), List.of());

        assertThat(page)
                .contains("<abbr title=\"F2: throughput at saturation")
                .contains("<abbr title=\"the knee: the lowest number of requests in flight")
                .contains("<abbr title=\"N: requests in flight at any time\">N</abbr>=20")
                .contains("<code>cpu*0.5</code> is a change for <code>jdyno whatif</code>");
    }
}
