package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.doctor.Finding;
import dev.jdyno.doctor.Finding.State;
import dev.jdyno.experiment.Comparison;
import dev.jdyno.experiment.form.ComparisonReport;
import dev.jdyno.experiment.labelled.Labelled;
import dev.jdyno.experiment.labelled.PlantedCase;
import dev.jdyno.report.Golden;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Complete JSON documents of small verbs, with the keys in order.
class VerbDocumentsTest {
    private static void assertIs(String name, String document) throws IOException {
        Golden.assertMatches("documents/" + name + ".json", document);
    }

    private static String whatIf(String... arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        assertThat(Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments))
                .as(err.toString())
                .isZero();
        return out.toString();
    }

    @Test
    void writesWhatIfOfGivenDemands() throws IOException {
        assertIs(
                "whatif",
                whatIf(
                        "whatif",
                        "--resource",
                        "cpu=20/2",
                        "--delay",
                        "downstream:page=80",
                        "--measured",
                        "80/s,110ms",
                        "--concurrency",
                        "16",
                        "--plan",
                        "7000/s",
                        "cpu*0.5",
                        "cores=8",
                        "--json"));
        assertIs("whatif-bare", whatIf("whatif", "--resource", "cpu=20/2", "--json"));
    }

    @Test
    void writesWhatIfOfResult() throws IOException {
        assertIs(
                "whatif-result",
                whatIf(
                        "whatif",
                        "../report/src/test/resources/report/result.json",
                        "cpu*0.5",
                        "--json"));
    }

    @Test
    void writesDoctorDocument() throws IOException {
        assertIs(
                "doctor",
                DoctorCommand.json(
                        List.of(
                                new Finding("jdk", State.OK, "JDK 25", Optional.empty()),
                                new Finding("steal", State.BAD, "took 12 %", Optional.of("wait")),
                                new Finding(
                                        "governor", State.UNSEEN, "not seen", Optional.empty()))));
    }

    @Test
    void writesLabDocument() throws IOException {
        assertIs(
                "lab",
                ComparisonReport.of(
                        new Comparison(
                                "E1",
                                "title",
                                List.of(
                                        row("QPS", Optional.of(180.0), Optional.empty()),
                                        row(
                                                "ratio",
                                                Optional.empty(),
                                                Optional.of(
                                                        new Comparison.Judged(
                                                                false,
                                                                0.15,
                                                                Optional.empty(),
                                                                Optional.of("the reason"))))),
                                List.of("a note")),
                        true));
        assertIs(
                "lab-none",
                ComparisonReport.of(new Comparison("E2", "", List.of(), List.of()), true));
    }

    private static Comparison.Row row(
            String figure, Optional<Double> predicted, Optional<Comparison.Judged> judged) {
        return new Comparison.Row(figure, Optional.of(175.0), predicted, 180.5, "1/s", judged);
    }

    @Test
    void writesLabelledDocument() throws IOException {
        assertIs(
                "labelled",
                ComparisonReport.of(
                        new Labelled(
                                List.of(
                                        new Labelled.Row(
                                                planted("a", "cpu"),
                                                "lock",
                                                "com.acme.Page.get",
                                                0.95,
                                                "cpu",
                                                Optional.empty()),
                                        new Labelled.Row(
                                                planted("b", "dns"),
                                                "",
                                                "",
                                                0,
                                                "",
                                                Optional.of("needs a mount namespace")))),
                        true));
    }

    private static PlantedCase planted(String name, String bottleneck) {
        return new PlantedCase(name, bottleneck, List.of(), "", 20, List.of(), 17, 999, "", "note");
    }
}
