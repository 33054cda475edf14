package dev.jdyno.lab.planted;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.OutputStreamAppender;
import java.io.OutputStream;
import java.nio.file.Path;

/// A separate logback context. The logback of the lab's libraries is switched off.
final class Log {
    /// Log patterns without and with caller data. Caller data are costly to obtain.
    static final String PLAIN = "%d %-5level [%thread] %logger - %msg%n";

    static final String CALLER = "%d %-5level [%thread] %logger %class.%method:%line - %msg%n";

    private final LoggerContext context = new LoggerContext();

    Log() {
        // a context created in code has no MDC adapter, which its events need
        context.setMDCAdapter(new LogbackMDCAdapter());
        context.start();
    }

    /// Logs to a file, each line flushed.
    Logger toFile(Path file, String pattern) {
        return logger(fileAppender(file, pattern));
    }

    /// Logs to a file through one thread and a queue that blocks callers when it is full (E10).
    Logger toFileLater(Path file, String pattern, int queueSize) {
        FileAppender<ILoggingEvent> appender = new FileAppender<>();
        appender.setContext(context);
        appender.setFile(file.toString());
        appender.setEncoder(encoder(pattern));
        appender.start();
        AsyncAppender later = new AsyncAppender();
        later.setContext(context);
        later.setQueueSize(queueSize);
        later.setDiscardingThreshold(0);
        later.setIncludeCallerData(true);
        later.addAppender(appender);
        later.start();
        return logger(later);
    }

    /// Logs to a stream, each line flushed.
    Logger toStream(OutputStream out, String pattern) {
        OutputStreamAppender<ILoggingEvent> appender = new OutputStreamAppender<>();
        appender.setContext(context);
        appender.setEncoder(encoder(pattern));
        appender.setOutputStream(out);
        appender.start();
        return logger(appender);
    }

    private Appender<ILoggingEvent> fileAppender(Path file, String pattern) {
        FileAppender<ILoggingEvent> appender = new FileAppender<>();
        appender.setContext(context);
        appender.setFile(file.toString());
        appender.setEncoder(encoder(pattern));
        appender.start();
        return appender;
    }

    private PatternLayoutEncoder encoder(String pattern) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(pattern);
        encoder.start();
        return encoder;
    }

    private Logger logger(Appender<ILoggingEvent> appender) {
        Logger logger = context.getLogger("shop.Orders");
        logger.setLevel(Level.INFO);
        logger.addAppender(appender);
        return logger;
    }
}
