import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs an expected exception with its stack trace. */
class LoggingStackTraces {
    private static final Exception FAILED = failed(60);

    /** As deep as what a framework calls. */
    static Exception failed(int depth) {
        return depth == 0 ? new IllegalStateException("not found") : failed(depth - 1);
    }

    public static void main(String[] args) throws Exception {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%d %m%n");
        encoder.start();
        FileAppender<ILoggingEvent> file = new FileAppender<>();
        file.setContext(context);
        file.setFile("/dev/null");
        file.setEncoder(encoder);
        file.start();
        context.getLogger("ROOT").addAppender(file);
        Logger log = LoggerFactory.getLogger("page");
        Serve.with(() -> {
            for (int i = 0; i < 20; i++) {
                log.warn("not found: {}", i, FAILED);
            }
            return "logged";
        });
    }
}
