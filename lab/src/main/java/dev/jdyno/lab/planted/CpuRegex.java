package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import java.util.regex.Pattern;

/// A regular expression that searches for a repeated word and backtracks from every letter of a
/// text.
final class CpuRegex implements Case {
    private static final Pattern REPEATED_WORD = Pattern.compile("(?i)(\\w+)[^\\w]+\\1\\b");

    @Override
    public Label label() {
        return Label.of(
                "cpu-regex",
                "cpu",
                20,
                "java.util.regex",
                "each request searches a text with a regular expression that backtracks");
    }

    @Override
    public Running start(CaseSetup caseSetup) {
        int words = caseSetup.vary().between("words", 600, 2500);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < words; i++) {
            text.append(Integer.toString(i * 7919, Character.MAX_RADIX)).append(", ");
        }
        return caseSetup.serve(query -> REPEATED_WORD.matcher(text).find() + "\n");
    }
}
