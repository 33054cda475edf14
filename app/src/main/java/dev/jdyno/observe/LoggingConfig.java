package dev.jdyno.observe;

import dev.jdyno.measure.LoggingCost;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/// Reads a logback or log4j2 configuration for what makes each line dear (E10): finding out which
/// line of code logged, flushing line by line, writing on the request's own thread, a queue so
/// small that it is always full. Pure; never loads what the file names.
final class LoggingConfig {
    // %class %C %method %M %line %L %file %F %caller %location %l, with their width and options
    private static final Pattern CALLER =
            Pattern.compile(
                    "%-?[\\d.-]*(class|method|line|file|caller|location|C|M|L|F|l)(?![a-zA-Z])");

    /// Below this a queue is full as soon as the disk is busy for some ms (E10 took 10 000).
    static final int SMALL_QUEUE = 1024;

    /// What an asynchronous appender's queue holds, by library.
    ///
    /// @param key of its size
    /// @param preset its size where none is given
    private record Queue(String key, int preset, String cure) {
        static final Queue LOGBACK = new Queue("queueSize", 256, "<queueSize>10000</queueSize>");
        static final Queue LOG4J2 = new Queue("bufferSize", 1024, "bufferSize=\"10000\"");
    }

    /// An asynchronous appender whose element is open.
    ///
    /// @param depth of its element
    /// @param size empty where it is not known: a placeholder, or a class with a preset of its own
    private record Open(int depth, Queue queue, Optional<Integer> size) {}

    private final String file;
    private final List<LoggingCost> costs = new ArrayList<>();
    private boolean asynchronous;
    private boolean writesFile;
    private boolean flushes = true;
    private boolean callerPattern;
    private int depth;
    private Optional<Open> open = Optional.empty();
    private final List<Open> queues = new ArrayList<>();

    private LoggingConfig(String file) {
        this.file = file;
    }

    /// @param file for messages
    /// @throws XMLStreamException when it is no XML
    static List<LoggingCost> read(String file, InputStream xml) throws XMLStreamException {
        var factory = XMLInputFactory.newFactory();
        // a configuration of somebody else's: nothing outside of it is fetched
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        var config = new LoggingConfig(file);
        XMLStreamReader reader = factory.createXMLStreamReader(xml);
        try {
            config.scan(reader);
        } finally {
            reader.close();
        }
        return config.judge();
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
                    open.filter(o -> o.depth() == depth).ifPresent(this::close);
                    depth--;
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
            // their ring buffer is sized by a system property: 262 144 lines, or 4 096, without it
            case "AsyncLogger", "AsyncRoot" -> asynchronous = true;
            case "File", "RollingFile", "RandomAccessFile", "RollingRandomAccessFile" ->
                    writesFile = true;
            default -> {
                // loggers, filters, policies: they cost nothing by themselves
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
            case "pattern", "Pattern" -> callerPattern |= CALLER.matcher(value).find();
            case "includeCallerData", "includeLocation" -> {
                if (value.equals("true")) {
                    costs.add(
                            cost(
                                    "caller-data",
                                    name
                                            + "=\"true\": each line walks the stack to find who logged it",
                                    "<" + name + ">false"));
                }
            }
            case "immediateFlush" -> flushes = value.equals("true");
            default -> {
                // what does not cost anything for each line
            }
        }
    }

    private static Optional<Integer> number(String text) {
        Matcher digits = Pattern.compile("\\d{1,9}").matcher(text);
        return digits.matches() ? Optional.of(Integer.parseInt(text)) : Optional.empty();
    }

    private LoggingCost cost(String part, String says, String change) {
        return new LoggingCost(file, part, says, change);
    }

    private List<LoggingCost> judge() {
        if (callerPattern) {
            costs.add(
                    cost(
                            "caller-data",
                            "the pattern asks for class, method or line: each line walks the stack",
                            "the logger's name (%logger, %c) instead"));
        }
        if (writesFile && flushes) {
            costs.add(
                    cost(
                            "flush",
                            "each line is flushed to the kernel by itself (immediateFlush)",
                            "<immediateFlush>false</immediateFlush>: lines may be lost in a crash"));
        }
        if (writesFile && !asynchronous) {
            costs.add(
                    cost(
                            "synchronous",
                            "each request writes its own lines under the appender's lock",
                            "an asynchronous appender with a queue of 10 000"));
        }
        queues.stream()
                .filter(q -> q.size().filter(size -> size < SMALL_QUEUE).isPresent())
                .min(Comparator.comparingInt(q -> q.size().orElseThrow()))
                .ifPresent(q ->
                        costs.add(
                                cost(
                                        "small-queue",
                                        "the queue holds "
                                                + q.size().orElseThrow()
                                                + " lines; full, requests wait for the disk",
                                        q.queue().cure())));
        return List.copyOf(costs);
    }
}
