import java.util.logging.FileHandler;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** java.util.logging's SimpleFormatter looks up the caller of each line. */
class LoggingJulCaller {
    public static void main(String[] args) throws Exception {
        FileHandler file = new FileHandler("/dev/null");
        file.setFormatter(new SimpleFormatter());
        Logger log = Logger.getLogger("page");
        log.setUseParentHandlers(false);
        log.addHandler(file);
        Serve.with(() -> {
            for (int i = 0; i < 40; i++) {
                log.info("line " + i);
            }
            return "logged";
        });
    }
}
