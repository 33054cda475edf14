package dev.jdyno.lab.threads;

import dev.jdyno.lab.service.Services;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Creates waiting threads until it cannot create another one, prints how many there were, and
/// keeps them until its standard input ends.
@Command(
        name = "threads",
        mixinStandardHelpOptions = true,
        description = {
            "Makes threads until there is \"unable to create native thread\", prints one JSON object and",
            "waits for the end of its standard input. Give the JVM its limits: prlimit --as=2147483648",
            "java -Xss256k …"
        })
public final class Threads implements Callable<Integer> {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final long KIB = 1024;
    private static final long OWN_STACK = 4096 * KIB;

    // the address space of the process: VmSize:        2097000 kB
    private static final Pattern SIZE = Pattern.compile("(?m)^VmSize:\\s+(\\d{1,15}) kB$");
    private static final Pattern COUNT = Pattern.compile("(?m)^Threads:\\s+(\\d{1,9})$");

    @Option(
            names = "--most",
            paramLabel = "N",
            defaultValue = "30000",
            description = "Stop at this number of threads. (default: ${DEFAULT-VALUE})")
    private int max = 30_000;

    /// Runs in a thread of its own, because the stack size on trial may be too small to parse a
    /// command line.
    public static void main(String... args) {
        new Thread(null, () -> Services.main(new Threads(), args), "maker", OWN_STACK).start();
    }

    @Override
    public Integer call() throws IOException {
        CountDownLatch end = new CountDownLatch(1);
        // loads all classes that are used at the limit before the limit is reached
        line(0, status(), status(), "");
        String before = status();
        int made = 0;
        String failure = "";
        try {
            while (made < max) {
                waiting(end);
                made++;
            }
        } catch (OutOfMemoryError e) {
            failure = String.valueOf(e.getMessage());
        }
        System.out.println(line(made, before, status(), failure));
        System.out.flush();
        while (System.in.read() >= 0) {
            // keep the threads at the limit
        }
        end.countDown();
        return 0;
    }

    private static void waiting(CountDownLatch end) {
        Thread thread =
                new Thread(() -> {
                    try {
                        end.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
        thread.setDaemon(true);
        thread.start();
    }

    private static String line(int made, String before, String after, String failure) {
        return String.format(
                Locale.ROOT,
                "{\"threads\":%d,\"threadsBefore\":%d,\"bytesBefore\":%d,\"bytesAfter\":%d,\"failure\":\"%s\"}",
                made,
                number(COUNT, before),
                number(SIZE, before) * KIB,
                number(SIZE, after) * KIB,
                failure.replaceAll("[^A-Za-z0-9 :,.-]", " "));
    }

    private static String status() throws IOException {
        return Files.readString(STATUS);
    }

    private static long number(Pattern pattern, String status) {
        Matcher m = pattern.matcher(status);
        return m.find() ? Long.parseLong(m.group(1)) : 0;
    }
}
