package dev.jdyno.observe.logging;

import dev.jdyno.foreign.ForeignXml;
import dev.jdyno.foreign.ForeignYaml;
import dev.jdyno.measure.thread.LogPart;
import dev.jdyno.measure.thread.LoggingCost;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/// Finds the reasons why each log line is expensive (experiment E10) in a logback or log4j2
/// configuration (XML, and log4j2's properties, YAML and JSON). Causes are: finding the calling
/// line of code, flushing each line, writing on the request's own thread, and a queue that is too
/// small. Pure: it never loads what the file names, and never executes a file that is code.
public final class LoggingConfig {
    // %class %C %method %M %line %L %file %F %caller %location %l, with their width and options
    // groups: width, word, options
    static final Pattern CALLER =
            Pattern.compile(
                    "%(-?[\\d.-]*)(class|method|line|file|caller|location|C|M|L|F|l)(?![a-zA-Z])(\\{[^}]*})?");

    /// log4j2's names of the relevant appenders and loggers.
    private static final List<String> ELEMENTS =
            List.of(
                    "Async",
                    "AsyncLogger",
                    "AsyncRoot",
                    "File",
                    "RollingFile",
                    "RandomAccessFile",
                    "RollingRandomAccessFile");

    /// Minimum size of a queue; a smaller one is full as soon as the disk is busy for some ms
    /// (experiment E10 used 10 000).
    static final int SMALL_QUEUE = 1024;

    /// The queue of an asynchronous appender, by library.
    ///
    /// @param key key of the queue size
    /// @param preset default queue size
    private record Queue(String key, int preset, String recommendation) {
        static final Queue LOGBACK = new Queue("queueSize", 256, "<queueSize>10000</queueSize>");
        static final Queue LOG4J2 = new Queue("bufferSize", 1024, "bufferSize=\"10000\"");
    }

    /// An asynchronous appender whose element is open.
    ///
    /// @param depth of its element
    /// @param size empty if it is not known: a placeholder, or a class with its own default
    private record Open(int depth, Queue queue, Optional<Integer> size) {}

    private final String file;
    private final List<LoggingCost> costs = new ArrayList<>();
    private boolean asynchronous;
    private boolean writesFile;
    private boolean flushes = true;
    private boolean callerPattern;
    // in log4j2's properties only a `type` names the element
    private boolean elementsAreNamed = true;
    private boolean patternByName;
    private boolean callerProperty;
    private int depth;
    private Optional<Open> open = Optional.empty();
    private final List<Open> queues = new ArrayList<>();

    private LoggingConfig(String file) {
        this.file = file;
    }

    /// @param file name for messages; its suffix determines the format
    /// @throws IOException when the content does not have that format
    public static List<LoggingCost> read(String file, byte[] content) throws IOException {
        var config = new LoggingConfig(file);
        switch (file.substring(file.lastIndexOf('.') + 1)) {
            case "groovy" -> {
                return List.of(
                        LoggingFiles.unread(
                                file, "it is found, and is code, which is not run to be read"));
            }
            case "properties" -> {
                config.elementsAreNamed = false;
                config.walk("", LoggingTree.properties(content));
            }
            case "yaml", "yml", "json", "jsn" -> {
                for (Object document : ForeignYaml.trees(content)) {
                    config.walk("", document);
                }
            }
            default -> ForeignXml.read(content, config::scan);
        }
        return config.judge();
    }

    /// Reads an element of a configuration that was parsed to a tree of maps. A map, or a list of
    /// maps, is an element; a value is an attribute.
    private void walk(String element, Object node) {
        switch (node) {
            case Map<?, ?> map -> {
                depth++;
                if (elementsAreNamed) {
                    start(element);
                }
                boolean properties = element.equalsIgnoreCase("property");
                // the type of appender must be known before its queue's size
                Optional.ofNullable(map.get("type"))
                        .ifPresent(type -> value("type", type.toString()));
                map.forEach((key, value) -> {
                    if (!"type".equals(key)) {
                        walk(properties ? element : String.valueOf(key), value);
                    }
                });
                leave();
            }
            case Collection<?> list -> list.forEach(one -> walk(element, one));
            default -> value(element, node.toString().strip());
        }
    }

    private void leave() {
        open.filter(o -> o.depth() == depth).ifPresent(this::close);
        depth--;
    }

    private void scan(XMLStreamReader reader) throws XMLStreamException {
        String element = "";
        while (reader.hasNext()) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    element = reader.getLocalName();
                    depth++;
                    start(element);
                    for (int i = 0; i < reader.getAttributeCount(); i++) {
                        value(reader.getAttributeLocalName(i), reader.getAttributeValue(i).strip());
                    }
                }
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
                    String text = reader.getText().strip();
                    if (!text.isEmpty()) {
                        value(element, text);
                    }
                }
                case XMLStreamConstants.END_ELEMENT -> {
                    element = "";
                    leave();
                }
                default -> {
                    // comments and processing instructions configure nothing
                }
            }
        }
    }

    private void start(String element) {
        // log4j2 names its appenders by elements
        switch (element) {
            case "Async" -> {
                asynchronous = true;
                open(Queue.LOG4J2, Optional.of(Queue.LOG4J2.preset()));
            }
            // a system property sets the size of their ring buffer; the default is 262 144 or 4 096
            // lines
            case "AsyncLogger", "AsyncRoot" -> asynchronous = true;
            case "File", "RollingFile", "RandomAccessFile", "RollingRandomAccessFile" ->
                    writesFile = true;
            default -> {
                // loggers, filters, policies: no cost by themselves
            }
        }
    }

    private void open(Queue queue, Optional<Integer> preset) {
        open = Optional.of(new Open(depth, queue, preset));
    }

    private void close(Open appender) {
        queues.add(appender);
        open = Optional.empty();
    }

    private void value(String name, String value) {
        open =
                open.map(o ->
                        o.queue().key().equals(name)
                                ? new Open(o.depth(), o.queue(), number(value))
                                : o);
        switch (name) {
            case "class" -> {
                if (value.endsWith("AsyncAppender")) {
                    asynchronous = true;
                    open(
                            Queue.LOGBACK,
                            value.startsWith("ch.qos.logback.")
                                    ? Optional.of(Queue.LOGBACK.preset())
                                    : Optional.empty());
                }
                writesFile |= value.endsWith("FileAppender");
            }
            // an element with another name: <Appender type="Async">, appender.a.type = Async
            case "type" -> start(asElement(value));
            case "pattern", "Pattern" -> {
                callerPattern |= asksForCaller(value);
                patternByName |= value.contains("${");
            }
            case "property", "Property", "value" -> callerProperty |= asksForCaller(value);
            case "includeCallerData", "includeLocation" -> {
                if (value.equals("true")) {
                    costs.add(
                            cost(
                                    LogPart.CALLER_DATA,
                                    name
                                            + "=\"true\": each line walks the stack to find who logged it",
                                    "<" + name + ">false"));
                }
            }
            case "immediateFlush" -> flushes = value.equals("true");
            default -> {
                // no cost per line
            }
        }
    }

    /// Returns the type in log4j2's own spelling, because log4j2 ignores the case of the names of
    /// its plugins.
    private static String asElement(String type) {
        return ELEMENTS.stream().filter(e -> e.equalsIgnoreCase(type)).findFirst().orElse(type);
    }

    /// True if a pattern needs the line of code that logged.
    static boolean asksForCaller(String pattern) {
        return CALLER.matcher(pattern).find();
    }

    private static Optional<Integer> number(String text) {
        Matcher digits = Pattern.compile("\\d{1,9}").matcher(text);
        return digits.matches() ? Optional.of(Integer.parseInt(text)) : Optional.empty();
    }

    private LoggingCost cost(LogPart part, String says, String change) {
        return new LoggingCost(file, part, says, change);
    }

    private List<LoggingCost> judge() {
        if (callerPattern || (patternByName && callerProperty)) {
            costs.add(
                    cost(
                            LogPart.CALLER_DATA,
                            "the pattern asks for class, method or line: each line walks the stack",
                            "the logger's name (%logger, %c) instead"));
        }
        if (writesFile && flushes) {
            costs.add(
                    cost(
                            LogPart.FLUSH,
                            "each line is flushed to the kernel by itself (immediateFlush)",
                            "<immediateFlush>false</immediateFlush>: lines may be lost in a crash"));
        }
        if (writesFile && !asynchronous) {
            costs.add(
                    cost(
                            LogPart.SYNCHRONOUS,
                            "each request writes its own lines under the appender's lock",
                            "an asynchronous appender with a queue of 10 000"));
        }
        queues.stream()
                .filter(q -> q.size().filter(size -> size < SMALL_QUEUE).isPresent())
                .min(Comparator.comparingInt(q -> q.size().orElseThrow()))
                .ifPresent(q ->
                        costs.add(
                                cost(
                                        LogPart.SMALL_QUEUE,
                                        "the queue holds "
                                                + q.size().orElseThrow()
                                                + " lines; when it is full, requests wait until one is written",
                                        q.queue().recommendation())));
        // an attribute may occur in a hundred thousand elements
        return costs.stream().distinct().toList();
    }
}
