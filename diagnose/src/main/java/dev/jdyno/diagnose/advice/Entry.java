package dev.jdyno.diagnose.advice;

import dev.jdyno.measure.thread.LogPart;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.ChangeName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The meaning of one frame of the JDK or of a library, and the code to write instead. It is a
/// block of `advice.txt`, which describes its format.
///
/// @param unless beginnings of frames; a stack that contains such a frame does not count
/// @param within packages of the logging library to which the frames belong; none for other frames
/// @param part of the logging configuration
/// @param saves share of the found work that the edit is assumed to save: 1, or 0.5 if the work is
///   only reduced
/// @param edit text for a configuration or the command line; empty for a change of the code
record Entry(
        String id,
        List<Seen> seen,
        List<String> unless,
        List<String> within,
        Optional<LogPart> part,
        String does,
        String how,
        double saves,
        Optional<Edit> edit) {
    Entry {
        seen = List.copyOf(seen);
        unless = List.copyOf(unless);
        within = List.copyOf(within);
    }

    /// Returns the patterns to search for, in this order. Stacks of one kind form a group, because
    /// they are calls with the same fault. Each other pattern is a group of its own.
    List<List<Seen>> evidence() {
        Map<String, List<Seen>> groups = new LinkedHashMap<>();
        for (Seen one : seen) {
            String group =
                    one instanceof Seen.Stack stack
                            ? stack.kind() + (stack.waits() ? " waits" : "")
                            : one.toString();
            groups.computeIfAbsent(group, _ -> new ArrayList<>()).add(one);
        }
        return List.copyOf(groups.values());
    }

    /// Returns the name of the recommended change. A rule may recommend a change with the same
    /// name.
    ChangeName name() {
        return ChangeName.of(id);
    }

    /// A change that needs no edit of the code.
    ///
    /// @param flag true for an argument of the JVM, false for a line of the logging configuration
    record Edit(boolean flag, String text) {
        /// @param file the logging configuration, if known
        Change change(Optional<String> file, String part) {
            return flag ? Change.jvmArgument(text) : new Change.LoggingEdit(file, part, text);
        }
    }

    /// @throws IllegalArgumentException if a block is not complete
    static List<Entry> parse(String text) {
        return Arrays.stream(text.replaceAll("(?m)^#.*$", "").split("\\n\\s*\\n"))
                .map(String::strip)
                .filter(block -> !block.isEmpty())
                .map(Entry::block)
                .toList();
    }

    private static LogPart part(String key) {
        return LogPart.of(key)
                .orElseThrow(() -> new IllegalArgumentException("part: there is no " + key));
    }

    private static double saves(String value) {
        return switch (value) {
            case "all" -> 1;
            case "half" -> 0.5;
            default -> throw new IllegalArgumentException("saves: half, not " + value);
        };
    }

    private static Entry block(String block) {
        Map<String, String> values = new HashMap<>();
        List<Seen> seen = new ArrayList<>();
        List<String> unless = new ArrayList<>();
        List<String> within = new ArrayList<>();
        for (String line : block.lines().toList()) {
            int colon = line.indexOf(':');
            if (colon < 0) {
                throw new IllegalArgumentException("no `KEY: VALUE`: " + line);
            }
            String key = line.substring(0, colon);
            String value = line.substring(colon + 1).strip();
            switch (key) {
                case "seen" -> seen.add(Seen.parse(value));
                case "unless" -> unless.add(value);
                case "within" -> within.add(value);
                case "id", "saves", "part", "do", "how", "logging", "flag" -> {
                    if (values.put(key, value) != null) {
                        throw new IllegalArgumentException(key + " twice: " + block);
                    }
                }
                default -> throw new IllegalArgumentException("no such key: " + line);
            }
        }
        String id = values.get("id");
        String does = values.get("do");
        String how = values.get("how");
        if (seen.isEmpty() || id == null || does == null || how == null) {
            throw new IllegalArgumentException("not complete: " + block);
        }
        return new Entry(
                id,
                seen,
                unless,
                within,
                Optional.ofNullable(values.get("part")).map(Entry::part),
                does,
                how,
                saves(values.getOrDefault("saves", "all")),
                Optional.ofNullable(values.get("logging"))
                        .map(edit -> new Edit(false, edit))
                        .or(() ->
                                Optional.ofNullable(values.get("flag"))
                                        .map(flag -> new Edit(true, flag))));
    }
}
