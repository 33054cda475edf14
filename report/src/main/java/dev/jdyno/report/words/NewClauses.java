package dev.jdyno.report.words;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The clauses of a sentence that tell a reader something new. Without its first words, which name
/// the verdict again, and without clauses whose figures and names the reader has read already.
public final class NewClauses {
    /// Words before a colon that name the verdict: `CPU is the bottleneck: `. They have no figure.
    private static final Pattern LEAD = Pattern.compile("^[^:\\d]{1,60}: ");

    /// The end of a clause outside of brackets, with the space after it. A clause with `so` stays
    /// with its reason, one with `some` with what it counts.
    private static final Pattern END =
            Pattern.compile("[;,:] (?!so |some )|\\. (?=[A-Za-z])| while ");

    /// A conjunction that has lost the clause before it.
    private static final Pattern CONJUNCTION = Pattern.compile("^(?:and|while|but|which) ");

    private static final Pattern FIGURE = Pattern.compile("\\d+(?:[.,]\\d+)*(?:/s)?");

    /// An address, or a name in the code.
    private static final Pattern NAME = Pattern.compile(".*\\w[.:$]\\w.*");

    private static final Pattern WHOLE = Pattern.compile("(\\d+)\\.0+");

    private static final Pattern MARKS = Pattern.compile("^[(\\[\"'×]+|[)\\]\"',;:.]+$");

    private record Clause(String before, String text) {}

    private NewClauses() {}

    /// Returns the sentence without what `read` has; empty if nothing of it is new.
    ///
    /// @param read all texts that a reader has read before it
    public static Optional<String> of(String sentence, List<String> read) {
        Set<String> known =
                read.stream().flatMap(t -> words(t).stream()).collect(Collectors.toSet());
        var left = new StringBuilder();
        for (Clause clause : clauses(LEAD.matcher(sentence).replaceFirst(""))) {
            if (isNew(clause.text(), known)) {
                left.append(
                        left.isEmpty()
                                ? CONJUNCTION.matcher(clause.text()).replaceFirst("")
                                : clause.before() + clause.text());
            }
        }
        if (left.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(left + (left.charAt(left.length() - 1) == '.' ? "" : "."));
    }

    /// True if it has a figure or a name that was not read, or no figure at all.
    private static boolean isNew(String clause, Set<String> known) {
        List<String> words = words(clause);
        boolean figures = words.stream().anyMatch(w -> FIGURE.matcher(w).matches());
        return !figures
                || words.stream()
                        .filter(w -> FIGURE.matcher(w).matches() || NAME.matcher(w).matches())
                        .anyMatch(w -> !known.contains(w));
    }

    private static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        for (String word : text.split("\\s+")) {
            String bare = word;
            Matcher marks = MARKS.matcher(bare);
            while (marks.find()) {
                bare = marks.replaceAll("");
                marks = MARKS.matcher(bare);
            }
            Matcher whole = WHOLE.matcher(bare);
            words.add(whole.matches() ? whole.group(1) : bare);
        }
        return words;
    }

    private static List<Clause> clauses(String sentence) {
        List<Clause> clauses = new ArrayList<>();
        Matcher end = END.matcher(sentence);
        int from = 0;
        String before = "";
        while (end.find()) {
            if (!isInBrackets(sentence, end.start())) {
                clauses.add(new Clause(before, sentence.substring(from, end.start())));
                before = end.group();
                from = end.end();
            }
        }
        clauses.add(new Clause(before, sentence.substring(from)));
        return clauses;
    }

    private static boolean isInBrackets(String text, int at) {
        int open = 0;
        for (int i = 0; i < at; i++) {
            open += text.charAt(i) == '(' ? 1 : text.charAt(i) == ')' ? -1 : 0;
        }
        return open > 0;
    }
}
