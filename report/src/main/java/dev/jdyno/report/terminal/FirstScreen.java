package dev.jdyno.report.terminal;

import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.Validity;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import dev.jdyno.report.words.Commands;
import dev.jdyno.report.words.DownstreamText;
import dev.jdyno.report.words.GainText;
import dev.jdyno.report.words.KneeLines;
import dev.jdyno.report.words.NextLimitText;
import dev.jdyno.report.words.SettingText;
import dev.jdyno.report.words.ShortNames;
import dev.jdyno.report.words.TextLines;
import dev.jdyno.report.words.VerdictText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// The first screen of a report: the limit, two figures that prove it, the first recommendation,
/// its gain, the command that checks it, and the causes that are ruled out.
///
/// @param columns of each line
/// @param most maximum number of lines
/// @param bold makes a heading of a text
/// @param red marks a text that says that the figures must not be used
/// @param yellow marks a remark
record FirstScreen(
        ShortNames names,
        int columns,
        int most,
        UnaryOperator<String> bold,
        UnaryOperator<String> red,
        UnaryOperator<String> yellow) {
    private static final String GOES_ON = " \\";

    /// Maximum lines on a terminal of {@link TextLines#WIDTH} columns.
    static final int MAX_LINES = 14;

    /// Maximum lines of the sentences about a second limit. They are never shortened: without the
    /// gains, the reader would lift only one of two limits.
    private static final int NEXT_LIMIT = 5;

    private static final String INDENT = " ".repeat("Bottleneck: ".length());
    private static final String NOT = "Not because of";

    /// Maximum lines of each kind of sentence. Of several such sets, the first one in which the
    /// answer fits is used, otherwise the last one. Ruled-out causes are dropped before a sentence
    /// is shortened. The command is never shortened.
    private record Space(
            int spoilt,
            int name,
            int headline,
            int proof,
            int does,
            int how,
            int behind,
            int gain,
            int not) {
        static final List<Space> ALL =
                List.of(
                        new Space(2, 2, 2, 2, 3, 3, 2, 3, 2),
                        new Space(2, 2, 2, 2, 3, 3, 2, 3, 1),
                        new Space(2, 2, 1, 2, 3, 2, 2, 3, 1),
                        new Space(2, 2, 1, 2, 3, 2, 2, 2, 1),
                        new Space(2, 2, 1, 2, 3, 2, 2, 2, 0),
                        new Space(2, 2, 1, 1, 3, 2, 2, 2, 0),
                        new Space(2, 2, 1, 1, 2, 1, 1, 2, 0),
                        new Space(1, 2, 1, 1, 2, 1, 1, 1, 0),
                        new Space(1, 1, 1, 1, 1, 1, 1, 1, 0));
    }

    List<String> of(RunResult r, Optional<Path> folder) {
        List<String> lines = List.of();
        for (Space space : Space.ALL) {
            lines = of(r, folder, space);
            if (lines.size() <= most) {
                break;
            }
        }
        return lines;
    }

    private List<String> of(RunResult r, Optional<Path> folder, Space space) {
        List<String> lines = new ArrayList<>();
        validity(r, space, lines);
        lines.addAll(name(r.verdict(), r.validity().ok(), space));
        lines.addAll(
                TextLines.wrap(
                        VerdictText.headline(r.verdict().bottleneck()),
                        "  ",
                        space.headline(),
                        columns));
        NextLimitText.of(r.verdict(), names::place)
                .ifPresent(two -> lines.addAll(TextLines.wrap(two, "  ", NEXT_LIMIT, columns)));
        for (EvidenceLine proof : VerdictText.proofs(r.verdict())) {
            lines.addAll(item("  - ", names.in(proof.says()), space.proof()));
        }
        r.recommendations().stream()
                .findFirst()
                .ifPresent(first -> lines.addAll(first(r, first, folder, space)));
        lines.addAll(notBecauseOf(r, space));
        r.goal().map(new KneeLines(bold, columns)::goal).ifPresent(lines::addAll);
        return lines;
    }

    /// The first reason why the figures must not be used, or a note that the run is partial.
    private void validity(RunResult r, Space space, List<String> lines) {
        String partial = r.partial() ? "PARTIAL: cut short, this is what was measured so far" : "";
        if (r.validity().ok()) {
            if (r.partial()) {
                lines.add(yellow.apply(partial));
            }
            return;
        }
        String and = r.partial() ? "; " + partial : "";
        lines.add(red.apply("NOT VALID: do not use these figures" + and));
        List<Validity.Warning> spoils =
                r.validity().warnings().stream().filter(Validity.Warning::spoils).toList();
        String hidden = TextLines.more(spoils.size(), 1, "more reasons in the report").orElse("");
        spoils.stream()
                .findFirst()
                .map(w ->
                        TextLines.wrapWith(
                                "reason: " + w.says(), "", space.spoilt(), hidden, columns))
                .ifPresent(reason -> reason.forEach(l -> lines.add(red.apply(l))));
    }

    /// The bottleneck with its place, which begins with the method. It takes a second line if one
    /// is too short. If the run is invalid, the bottleneck is not presented as a finding.
    private List<String> name(Verdict v, boolean valid, Space space) {
        String head = valid ? "Bottleneck: " : "Bottleneck, if the figures were valid: ";
        String at = v.where().isBlank() ? "" : " at " + names.place(v.where());
        String sure = String.format(Locale.ROOT, "  (confidence %.2f)", v.confidence());
        List<String> lines =
                TextLines.wrap(
                        head.substring(INDENT.length()) + v.bottleneck().key() + at,
                        INDENT,
                        space.name(),
                        columns - sure.length());
        lines.set(
                0,
                head.substring(0, INDENT.length()) + lines.getFirst().substring(INDENT.length()));
        lines.replaceAll(bold);
        lines.set(lines.size() - 1, lines.getLast() + sure);
        return lines;
    }

    /// The first recommendation, its gain, and the command that checks it.
    private List<String> first(
            RunResult r, Recommendation first, Optional<Path> folder, Space space) {
        List<String> lines = new ArrayList<>();
        String does = first.isMeasurement() ? "Next" : "Do this";
        Optional<String> edit = SettingText.edit(first, r.target());
        edit.ifPresent(e -> lines.addAll(marked(does, e, space.does())));
        if (edit.isEmpty() || !SettingText.replacesSentence(first)) {
            String mark = edit.isPresent() ? "" : does;
            lines.addAll(marked(mark, names.in(first.says()), space.does()));
        }
        lines.addAll(marked("", first.how(), space.how()));
        DownstreamText.of(r).ifPresent(says -> lines.addAll(marked("", says, space.behind())));
        GainText.of(first, r).ifPresent(gain -> lines.addAll(marked("Gain", gain, space.gain())));
        Commands.of(first, r, folder)
                .verify()
                .ifPresent(command -> lines.addAll(command("Check", command)));
        return lines;
    }

    /// The ruled-out causes that fit into the screen, each with its reason.
    private List<String> notBecauseOf(RunResult r, Space space) {
        List<String> names =
                VerdictText.notBecauseOf(r, this.names::in).stream().map(Printable::plain).toList();
        for (int n = names.size(); n > 0; n--) {
            String text = String.join(", ", names.subList(0, n));
            List<String> lines = TextLines.item(NOT + " ", text, Integer.MAX_VALUE, "", columns);
            if (lines.size() <= space.not()) {
                return bold(NOT, lines);
            }
        }
        return List.of();
    }

    /// A command that can be pasted unchanged. A continued line ends with a backslash. Inside
    /// quotes it does not, because the indent of the next line would become part of the text.
    private List<String> command(String mark, String command) {
        List<String> all =
                new ArrayList<>(
                        TextLines.item(
                                padded(mark),
                                command,
                                Integer.MAX_VALUE,
                                "",
                                columns - GOES_ON.length()));
        boolean quoted = false;
        for (int i = 0; i < all.size() - 1; i++) {
            quoted ^= all.get(i).chars().filter(c -> c == '\'' || c == '"').count() % 2 == 1;
            all.set(i, all.get(i) + (quoted ? "" : GOES_ON));
        }
        return bold(mark, all);
    }

    private static String padded(String mark) {
        return String.format(Locale.ROOT, "%-9s", mark);
    }

    private List<String> marked(String mark, String text, int lines) {
        return bold(mark, item(padded(mark), text, lines));
    }

    private List<String> bold(String mark, List<String> all) {
        if (!mark.isEmpty()) {
            all.set(0, bold.apply(mark) + all.getFirst().substring(mark.length()));
        }
        return all;
    }

    private List<String> item(String mark, String text, int lines) {
        return TextLines.item(mark, text, lines, "", columns);
    }
}
