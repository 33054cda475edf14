package dev.jdyno.observe.stacks;

import dev.jdyno.measure.thread.SourceLine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Counts the source lines of each method, over thread dumps and samples. The line of a waiting
/// thread is where it waits. The line of a running thread is where it runs or what it calls.
///
/// Methods of the JDK are left out, because the user cannot change them.
public final class SourceLines {
    // at com.acme.Page.get(Page.java:12), at app//com.acme.Page.get(Page.java:12)
    // not: at java.lang.Thread.sleep(java.base@25.0.3/Thread.java:509)
    private static final Pattern FRAME =
            Pattern.compile(
                    "^\\s+at (?:[^\\s(/]*//)?([^\\s(/]{1,1000})\\(([^()/:@]{1,200}):(\\d{1,6})\\)",
                    Pattern.MULTILINE);

    /// Maximum number of methods that are counted. Only a malicious service has more in its stacks.
    private static final int MAX_METHODS = 50_000;

    private final Map<String, Map<Integer, Long>> counts = new HashMap<>();
    private final Map<String, String> files = new HashMap<>();

    /// Adds all frames of a thread dump.
    public void addDump(String text) {
        Matcher m = FRAME.matcher(text);
        while (m.find()) {
            files.putIfAbsent(className(m.group(1)), m.group(2));
            add(m.group(1), Integer.parseInt(m.group(3)));
        }
    }

    /// Adds one frame.
    ///
    /// @param method `class.method`
    /// @param line no line if below 1
    public void add(String method, int line) {
        if (line < 1 || (counts.size() >= MAX_METHODS && !counts.containsKey(method))) {
            return;
        }
        counts.computeIfAbsent(method, _ -> new HashMap<>()).merge(line, 1L, Long::sum);
    }

    /// Adds all counts of another instance.
    public void addAll(SourceLines other) {
        other.files.forEach(files::putIfAbsent);
        other.counts.forEach((method, lines) -> {
            if (counts.size() < MAX_METHODS || counts.containsKey(method)) {
                Map<Integer, Long> mine = counts.computeIfAbsent(method, _ -> new HashMap<>());
                lines.forEach((line, n) -> mine.merge(line, n, Long::sum));
            }
        });
    }

    /// The most frequent line of each of these methods, by method.
    public List<SourceLine> of(Set<String> methods) {
        List<SourceLine> found = new ArrayList<>();
        for (String method : methods) {
            counts.getOrDefault(method, Map.of()).entrySet().stream()
                    .max(
                            Map.Entry.<Integer, Long>comparingByValue()
                                    .thenComparing(
                                            Map.Entry.comparingByKey(Comparator.reverseOrder())))
                    .ifPresent(max ->
                            found.add(
                                    new SourceLine(
                                            method,
                                            Optional.ofNullable(files.get(className(method))),
                                            max.getKey(),
                                            max.getValue())));
        }
        found.sort(Comparator.comparing(SourceLine::method));
        return found;
    }

    /// A line of a method, with its file if it is known.
    ///
    /// @param samples how often the line was found
    public SourceLine at(String method, int line, long samples) {
        return new SourceLine(
                method, Optional.ofNullable(files.get(className(method))), line, samples);
    }

    /// The class of a method: `com.acme.Page` of `com.acme.Page.get`.
    private static String className(String method) {
        int dot = method.lastIndexOf('.');
        return dot < 0 ? method : method.substring(0, dot);
    }
}
