package dev.jdyno.report.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.judge.ResultFixture;
import dev.jdyno.judge.Results;
import dev.jdyno.measure.verdict.Validity;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.report.words.Remarks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Notes that may change the decision come before the others, and all of them are shown.
class RemarksTest {
    private static Warning remark(String id) {
        return new Warning(id, "remark " + id, false);
    }

    @Test
    void listsInvalidatingRemarksBeforeDecidingRemarks() {
        var spoils = new Warning("client", "the client was the limit", true);
        Validity validity = Validity.of(List.of(remark("live-count"), remark("not-warm"), spoils));

        assertThat(Remarks.of(validity).all())
                .extracting(Warning::id)
                .containsExactly("client", "not-warm", "live-count");
    }

    /// Three kinds: error replies counted as responses, a service that stopped responding, and
    /// omitted rounds.
    @ParameterizedTest
    @ValueSource(strings = {"other-answers", "silent-later", "round-again"})
    void showsDecidingRemarksAmongMany(String id) {
        List<Warning> all = new ArrayList<>();
        for (String other : List.of("warmup", "live-count", "jmx-started", "jfr")) {
            all.add(remark(other));
        }
        all.add(remark(id));

        String text =
                new TerminalReport(false)
                        .verdict(
                                Results.with(ResultFixture.e1(), Validity.of(all)),
                                Optional.empty());

        assertThat(text).contains("note: remark " + id + "\n", "(+3 more notes");
        assertThat(text.indexOf("remark " + id)).isLessThan(text.indexOf("remark warmup"));
    }

    @Test
    void moreDecidingRemarksThanLinesAreAllShown() {
        List<Warning> all =
                List.of(remark("noise"), remark("not-warm"), remark("steal"), remark("unsteady"));

        String text =
                new TerminalReport(false)
                        .verdict(
                                Results.with(ResultFixture.e1(), Validity.of(all)),
                                Optional.empty());

        assertThat(text.lines().filter(l -> l.startsWith("note: ")).count()).isEqualTo(4);
    }

    @Test
    void aResultWithoutWarningsHasNoNotes() {
        assertThat(
                        new TerminalReport(false)
                                .verdict(
                                        Results.with(ResultFixture.e1(), Validity.OK),
                                        Optional.empty()))
                .doesNotContain("note: ");
    }
}
