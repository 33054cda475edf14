package dev.jdyno.observe.stacks;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Finds the thread dumps in a text that `jstack`, `jcmd PID Thread.print` or SIGQUIT wrote. The
/// text may contain several dumps, and lines of a log around them. It is taken line by line, and
/// each dump is passed on when it is complete.
///
/// ```
/// 2026-11-29 17:34:37
/// Full thread dump OpenJDK 64-Bit Server VM (25.0.3+9-LTS mixed mode, sharing):
/// …
/// JNI global refs: 31, weak refs: 0
/// ```
public final class DumpText {
    private static final String HEAD = "Full thread dump ";
    private static final Pattern JVM = Pattern.compile("^(.{1,100}?) \\(([^ )]{1,100})");
    private static final Pattern TIME =
            Pattern.compile("^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$");
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);

    /// Maximum number of characters of one dump that are kept: 10,000 threads with 100 frames each.
    private static final int MAX_LETTERS = 128 << 20;

    /// Maximum number of lines after the end of a dump that may contain its deadlocks.
    private static final int LINES_AFTER = 5000;

    private static final String END = "JNI global ref";

    /// One dump.
    ///
    /// @param at local time of the dump on its host, to the second; empty if the text does not
    ///   contain it
    /// @param jvm name of the JVM; empty if the first line does not contain it
    /// @param version of the JVM, such as `25.0.3+9-LTS`
    /// @param line number of its first line, from 1
    /// @param cut true if its end was left out because it is too long
    public record Found(
            Optional<LocalDateTime> at,
            Optional<String> jvm,
            Optional<String> version,
            String text,
            long line,
            boolean cut) {}

    private final Consumer<Found> taker;
    private final StringBuilder text = new StringBuilder();
    private String before = "";
    private String head = "";
    private Optional<LocalDateTime> at = Optional.empty();
    private long number;
    private long begin;
    private int after;
    private boolean ended;
    private boolean cut;

    /// @param taker receives each dump
    public DumpText(Consumer<Found> taker) {
        this.taker = taker;
    }

    /// Takes the next line of the text.
    public void line(String line) {
        number++;
        int found = line.indexOf(HEAD);
        if (found >= 0) {
            finish();
            begin = number;
            head = line.substring(found + HEAD.length());
            at = time(before);
        } else if (begin > 0) {
            take(line);
        }
        before = line;
    }

    private void take(String line) {
        ended |= line.startsWith(END);
        if (ended && ++after > LINES_AFTER) {
            return;
        }
        if (text.length() + line.length() > MAX_LETTERS) {
            cut = true;
            return;
        }
        text.append(line).append('\n');
    }

    /// Passes on the last dump. To be called after the last line.
    public void finish() {
        if (begin > 0) {
            Matcher jvm = JVM.matcher(head);
            boolean named = jvm.find();
            taker.accept(
                    new Found(
                            at,
                            named ? Optional.of(jvm.group(1)) : Optional.empty(),
                            named ? Optional.of(jvm.group(2)) : Optional.empty(),
                            text.toString(),
                            begin,
                            cut));
        }
        text.setLength(0);
        begin = 0;
        after = 0;
        ended = false;
        cut = false;
    }

    private static Optional<LocalDateTime> time(String line) {
        String trimmed = line.strip();
        if (!TIME.matcher(trimmed).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(LocalDateTime.parse(trimmed, STAMP));
        } catch (DateTimeException none) {
            return Optional.empty();
        }
    }
}
