package dev.jdyno.observe.logging;

import dev.jdyno.foreign.ForeignXml;
import dev.jdyno.measure.thread.LogPart;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Removes the expensive parts (experiment E10) from a logback or log4j2 configuration. Everything
/// else stays unchanged, so that the difference is readable. Pure: it never writes to the original.
public final class LoggingEdits {
    /// The parts that it can remove.
    public static final Set<LogPart> PARTS =
            Set.of(LogPart.CALLER_DATA, LogPart.FLUSH, LogPart.SMALL_QUEUE, LogPart.SYNCHRONOUS);

    /// New size of a queue, in lines (as in experiment E10).
    static final String QUEUE = "10000";

    private static final Pattern NAME = Pattern.compile("<([^\\s/>]+)");

    private static final Pattern ATTRIBUTE =
            Pattern.compile("\\s([\\w.:-]+)\\s*=\\s*([\"'])(.*?)\\2", Pattern.DOTALL);

    /// Marks the position of a removed part of a pattern; no pattern contains it.
    private static final String LEFT_OUT = "\0";

    /// Several removed parts in a row, with their separators, and the brackets around them or one
    /// separator before them.
    private static final Pattern AROUND_LEFT_OUT =
            Pattern.compile("\\(\0(?:[.:#]\0)*\\)|\\[\0(?:[.:#]\0)*]|[.:#]?\0(?:[.:#]\0)*");

    /// Suffix of the name of an appender that passes its lines to another thread.
    private static final String LATER = "-jdyno-async";

    private static final Set<String> LOG4J2_FILES =
            Set.of("file", "rollingfile", "randomaccessfile", "rollingrandomaccessfile");

    /// @param attributes attributes as in the text, entities not replaced
    /// @param tagFrom beginning of its start tag
    /// @param tagTo end of its start tag
    private record Element(String name, Map<String, String> attributes, int tagFrom, int tagTo) {
        boolean is(String wanted) {
            return name.equalsIgnoreCase(wanted);
        }

        String attribute(String wanted) {
            return attributes.getOrDefault(wanted, "");
        }

        boolean writesFile() {
            return (is("appender") && attribute("class").endsWith("FileAppender"))
                    // logback has <file> inside an appender, without a name
                    || (LOG4J2_FILES.contains(name.toLowerCase(Locale.ROOT))
                            && attributes.containsKey("name"));
        }

        boolean isLog4j2() {
            return !is("appender");
        }

        boolean queues() {
            return is("Async") || (is("appender") && attribute("class").endsWith("AsyncAppender"));
        }
    }

    private record Edit(int from, int to, String text) {}

    private final String text;
    private final Set<LogPart> parts;
    private final List<Edit> edits = new ArrayList<>();
    private final Deque<Element> open = new ArrayDeque<>();
    private final Map<String, Element> files = new LinkedHashMap<>();
    private final List<Element> references = new ArrayList<>();
    private boolean flushIsSet;
    private boolean queueIsSet;

    private LoggingEdits(String text, Set<LogPart> parts) {
        this.text = text;
        this.parts = Set.copyOf(parts);
    }

    /// @param parts parts to remove, of {@link #PARTS}
    /// @return the whole configuration in UTF-8; empty if it is neither XML nor log4j2's properties
    ///   or YAML, or nothing changes
    public static Optional<String> without(Set<LogPart> parts, LoggingFiles.Configuration from) {
        if (LoggingLines.canRead(from.name())) {
            return LoggingLines.without(parts, from);
        }
        if (!from.name().endsWith(".xml")) {
            return Optional.empty();
        }
        try {
            var edits = new LoggingEdits(from.asUtf8(), parts);
            ForeignXml.read(
                    from.content(),
                    reader -> {
                        while (reader.hasNext()) {
                            reader.next();
                        }
                    });
            edits.scan();
            return edits.applied();
        } catch (IOException noXml) {
            return Optional.empty();
        }
    }

    private Optional<String> applied() {
        if (edits.isEmpty()) {
            return Optional.empty();
        }
        var changed = new StringBuilder(text);
        edits.stream()
                .sorted(Comparator.comparingInt(Edit::from).reversed())
                .forEach(e -> changed.replace(e.from(), e.to(), e.text()));
        return Optional.of(changed.toString());
    }

    /// Reads the tags by their positions in the text, which the JDK's parser does not give exactly.
    /// The parser has read the same text before, so it is valid XML.
    private void scan() {
        int at = text.indexOf('<');
        while (at >= 0) {
            int to = endOf(at);
            if (text.startsWith("</", at)) {
                end(open.pop(), at, to);
            } else if (!text.startsWith("<!", at) && !text.startsWith("<?", at)) {
                start(at, to);
            }
            at = text.indexOf('<', to);
        }
    }

    private int endOf(int at) {
        if (text.startsWith("<!--", at)) {
            return text.indexOf("-->", at) + 3;
        }
        if (text.startsWith("<![CDATA[", at)) {
            return text.indexOf("]]>", at) + 3;
        }
        if (text.startsWith("<?", at)) {
            return text.indexOf("?>", at) + 2;
        }
        int to = at;
        char quote = 0;
        while (quote != 0 || text.charAt(to) != '>') {
            char c = text.charAt(to);
            if (quote == 0 && (c == '"' || c == '\'')) {
                quote = c;
            } else if (c == quote) {
                quote = 0;
            }
            to++;
        }
        return to + 1;
    }

    private void start(int at, int to) {
        Map<String, String> attributes = new LinkedHashMap<>();
        Matcher attribute = ATTRIBUTE.matcher(text).region(at, to);
        while (attribute.find()) {
            attributes.put(attribute.group(1), attribute.group(3));
        }
        Matcher name = NAME.matcher(text).region(at, to);
        var element = new Element(name.find() ? name.group(1) : "", attributes, at, to);
        if (element.writesFile() || element.queues()) {
            flushIsSet = false;
            queueIsSet = false;
        }
        boolean refers = element.is("appender-ref") || element.is("AppenderRef");
        if (refers && open.stream().noneMatch(e -> e.queues() || e.writesFile())) {
            references.add(element);
        }
        open.push(element);
        attributes.forEach((key, value) -> attribute(element, key, value));
        if (text.charAt(to - 2) == '/') {
            end(open.pop(), to, to);
        }
    }

    private void attribute(Element element, String name, String value) {
        switch (name) {
            case "pattern", "value" -> {
                if (parts.contains(LogPart.CALLER_DATA) && LoggingConfig.asksForCaller(value)) {
                    set(element, name, withoutCaller(value));
                }
            }
            case "includeLocation" -> {
                if (parts.contains(LogPart.CALLER_DATA) && value.equals("true")) {
                    set(element, name, "false");
                }
            }
            default -> {
                // no cost per line
            }
        }
    }

    /// @param contentTo beginning of its end tag
    /// @param at end of its end tag
    private void end(Element element, int contentTo, int at) {
        String content = text.substring(element.tagTo(), contentTo);
        switch (element.name()) {
            case "immediateFlush" -> {
                flushIsSet = true;
                replaceContent(LogPart.FLUSH, element, contentTo, content, "true", "false");
            }
            case "queueSize" -> {
                queueIsSet = true;
                if (content.strip().matches("\\d{1,9}")
                        && Integer.parseInt(content.strip()) < LoggingConfig.SMALL_QUEUE) {
                    replaceContent(
                            LogPart.SMALL_QUEUE,
                            element,
                            contentTo,
                            content,
                            content.strip(),
                            QUEUE);
                }
            }
            case "includeCallerData" ->
                    replaceContent(
                            LogPart.CALLER_DATA, element, contentTo, content, "true", "false");
            case "pattern", "Pattern", "property", "Property" -> {
                if (parts.contains(LogPart.CALLER_DATA) && LoggingConfig.asksForCaller(content)) {
                    edits.add(new Edit(element.tagTo(), contentTo, withoutCaller(content)));
                }
            }
            default -> {
                // an appender, or an element without cost
            }
        }
        if (element.writesFile()) {
            file(element, at);
        } else if (element.queues()) {
            queue(element);
        } else if (open.isEmpty()) {
            references();
        }
    }

    private void replaceContent(
            LogPart part, Element element, int to, String content, String from, String wanted) {
        if (parts.contains(part) && content.strip().equals(from)) {
            edits.add(new Edit(element.tagTo(), to, wanted));
        }
    }

    private void file(Element element, int end) {
        files.put(element.attribute("name"), element);
        if (parts.contains(LogPart.FLUSH) && !flushIsSet) {
            if (element.isLog4j2()) {
                set(element, "immediateFlush", "false");
            } else {
                insideOf(element, "<immediateFlush>false</immediateFlush>");
            }
        }
        if (parts.contains(LogPart.SYNCHRONOUS)) {
            String name = element.attribute("name");
            edits.add(
                    new Edit(
                            end,
                            end,
                            "\n"
                                    + indent(element)
                                    + (element.isLog4j2()
                                            ? "<Async name=\"%s%s\" bufferSize=\"%s\"><AppenderRef ref=\"%s\"/></Async>"
                                                    .formatted(name, LATER, QUEUE, name)
                                            : ("<appender name=\"%s%s\" class=\"ch.qos.logback.classic.AsyncAppender\">"
                                                            + "<queueSize>%s</queueSize>"
                                                            + "<discardingThreshold>0</discardingThreshold>"
                                                            + "<appender-ref ref=\"%s\"/></appender>")
                                                    .formatted(name, LATER, QUEUE, name))));
        }
    }

    private void queue(Element element) {
        if (!parts.contains(LogPart.SMALL_QUEUE)) {
            return;
        }
        if (element.isLog4j2()) {
            String size = element.attribute("bufferSize");
            if (size.isEmpty()
                    || (size.matches("\\d{1,9}")
                            && Integer.parseInt(size) < LoggingConfig.SMALL_QUEUE)) {
                set(element, "bufferSize", QUEUE);
            }
        } else if (!queueIsSet) {
            insideOf(element, "<queueSize>" + QUEUE + "</queueSize>");
        }
    }

    /// Loggers that wrote directly to a file now use the asynchronous appender.
    private void references() {
        if (parts.contains(LogPart.SYNCHRONOUS)) {
            references.stream()
                    .filter(r -> files.containsKey(r.attribute("ref")))
                    .forEach(r -> set(r, "ref", r.attribute("ref") + LATER));
        }
    }

    private void insideOf(Element element, String inserted) {
        edits.add(
                new Edit(
                        element.tagTo(),
                        element.tagTo(),
                        "\n" + indent(element) + "  " + inserted));
    }

    private String indent(Element element) {
        int line = text.lastIndexOf('\n', element.tagFrom()) + 1;
        String before = text.substring(line, element.tagFrom());
        return before.isBlank() ? before : "";
    }

    /// @param raw value in XML syntax
    private void set(Element element, String name, String raw) {
        Matcher m = ATTRIBUTE.matcher(text).region(element.tagFrom(), element.tagTo());
        boolean found = m.find();
        while (found && !m.group(1).equals(name)) {
            found = m.find();
        }
        if (found) {
            edits.add(new Edit(m.start(3), m.end(3), raw));
        } else {
            int end = element.tagTo() - (text.charAt(element.tagTo() - 2) == '/' ? 2 : 1);
            edits.add(new Edit(end, end, " " + name + "=\"" + raw + "\""));
        }
    }

    /// Replaces the class that logged by the logger's name. Other parts that need the caller are
    /// removed, with their separators and brackets.
    public static String withoutCaller(String pattern) {
        String marked =
                LoggingConfig.CALLER
                        .matcher(pattern)
                        .replaceAll(m ->
                                m.group(2).equals("class") || m.group(2).equals("C")
                                        ? Matcher.quoteReplacement(
                                                "%"
                                                        + m.group(1)
                                                        + "logger"
                                                        + (m.group(3) == null ? "" : m.group(3)))
                                        : LEFT_OUT);
        return AROUND_LEFT_OUT.matcher(marked).replaceAll("");
    }
}
