import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** logback's pattern asks for the line of the caller. */
class LoggingCallerData {
    public static void main(String[] args) throws Exception {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%d %C.%M:%L %m%n");
        encoder.start();
        FileAppender<ILoggingEvent> file = new FileAppender<>();
        file.setContext(context);
        file.setFile("/dev/null");
        file.setEncoder(encoder);
        file.start();
        context.getLogger("ROOT").addAppender(file);
        Logger log = LoggerFactory.getLogger("page");
        Serve.with(() -> {
            for (int i = 0; i < 60; i++) {
                log.info("line {} of {}", i, 60);
            }
            return "logged";
        });
    }
}
