package dev.jdyno.experiment.form;

import dev.jdyno.experiment.Comparison;
import dev.jdyno.experiment.Experiment;
import dev.jdyno.experiment.all.Done;
import dev.jdyno.experiment.all.Done.Outcome;
import dev.jdyno.measure.Machine;
import dev.jdyno.measure.text.Printable;
import java.util.List;
import java.util.Locale;

/// All published experiments on one page of Markdown.
public final class AllReport {
    private AllReport() {}

    /// The conditions of the run.
    ///
    /// @param cpu the processor's name
    /// @param version of jdyno
    /// @param command as typed
    public record Conditions(
            Machine machine, String cpu, String jdk, String version, String command) {}

    /// @param experiments all experiments, in their order; those without a result are marked as
    ///   such
    public static String markdown(
            List<Done> done, List<Experiment> experiments, Conditions conditions) {
        var text = new StringBuilder("# Published experiments, run here\n\n");
        Machine machine = conditions.machine();
        text.append(
                say(
                        "%d cores (%s), %s, JDK %s, jdyno %s, `%s`%n%n",
                        machine.cores(),
                        conditions.cpu(),
                        machine.kernel(),
                        conditions.jdk(),
                        conditions.version(),
                        conditions.command()));
        text.append(
                say(
                        "Published results: %d held here, %d did not hold. Experiments: %d could"
                                + " not run here, %d were not started. Time: %.0f minutes.%n%n",
                        count(done, Outcome.HELD),
                        count(done, Outcome.NOT_HELD),
                        count(done, Outcome.NOT_RUN),
                        experiments.size() - done.size(),
                        done.stream().mapToDouble(Done::seconds).sum() / 60));
        text.append("| id | experiment | outcome | seconds |\n| --- | --- | --- | --- |\n");
        for (Experiment e : experiments) {
            text.append(
                    done.stream()
                            .filter(d -> d.id().equals(e.id()))
                            .findFirst()
                            .map(AllReport::row)
                            .orElseGet(() ->
                                    say(
                                            "| %s | %s | not started | – |%n",
                                            e.id(), cell(e.title()))));
        }
        for (Done d : done) {
            d.comparison().ifPresent(c -> text.append(table(c)));
        }
        return text.toString();
    }

    private static String row(Done d) {
        return say(
                "| %s | %s | %s | %.0f%s |%n",
                d.id(), cell(d.title()), outcome(d), d.seconds(), d.quick() ? ", shortened" : "");
    }

    private static String outcome(Done d) {
        return switch (d.outcome()) {
            case HELD -> "held";
            case NOT_HELD -> "**did not hold**";
            case NOT_RUN -> "not run: " + cell(d.failure().orElse(""));
        };
    }

    private static String table(Comparison c) {
        var text = new StringBuilder();
        text.append(say("%n## %s: %s%n%n", c.id(), c.title()));
        text.append(
                "| figure | published | predicted | measured | |\n| --- | --- | --- | --- | --- |\n");
        for (Comparison.Row r : c.rows()) {
            text.append(
                    say(
                            "| %s | %s | %s | %s | %s |%n",
                            cell(r.figure()),
                            ComparisonWords.value(r, r.published()),
                            ComparisonWords.value(r, r.predicted()),
                            cell(ComparisonWords.measured(r)),
                            r.judged().map(AllReport::judged).orElse("")));
        }
        text.append('\n');
        c.notes().forEach(n -> text.append("- ").append(n).append('\n'));
        return text.toString();
    }

    private static String judged(Comparison.Judged j) {
        return ComparisonWords.verdict(j)
                + ComparisonWords.bound(j)
                + j.why().map(why -> "; " + cell(why)).orElse("");
    }

    private static long count(List<Done> done, Outcome outcome) {
        return done.stream().filter(d -> d.outcome() == outcome).count();
    }

    /// Returns the text as one line, escaped for a table cell.
    private static String cell(String text) {
        return Printable.plain(text).replace("|", "\\|").replaceAll("\\s*\\R\\s*", " ");
    }

    private static String say(String format, Object... args) {
        return String.format(Locale.ROOT, format, args);
    }
}
