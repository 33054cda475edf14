package dev.jdyno.observe.stacks;

import java.util.regex.Pattern;

/// The pool of a thread: its name without the number at the end. Numbers inside stay, because they
/// distinguish pools (`pool-1-thread-7` and `pool-2-thread-7`).
public final class PoolName {
    // qtp1537358694-31 of Jetty; its acceptor's name ends with an address;
    // [0x1218d3ab 0x40b5646b] WebServer socket of Helidon, a virtual thread for each connection
    private static final Pattern HASH =
            Pattern.compile("^(qtp)\\d+|@[0-9a-f]+.*$|^\\[(?:0x[0-9a-f]+ ?)+\\] *");

    /// A number before the pool's name: `Camel (camel-1) thread #6 - NettyConsumerExecutorGroup`.
    private static final Pattern NUMBER_BEFORE_NAME = Pattern.compile(" #\\d+ - ");

    /// The part of the request that a server or its filter adds to the name: `dw-42 - GET /orders`
    /// of Dropwizard, `http-nio-8080-exec-3 POST /orders`.
    private static final Pattern REQUEST =
            Pattern.compile(
                    "(?<=\\d)[ :\\[(-]+(GET|HEAD|POST|PUT|DELETE|PATCH|OPTIONS|TRACE|CONNECT) /.*$");

    private static final Pattern NUMBER_AT_END = Pattern.compile("[-#_ .@(\\[]*\\d+[)\\]]?$");

    /// Maximum length of a name that is examined, in characters: the time of these patterns grows
    /// with its square.
    private static final int LONGEST = 256;

    private PoolName() {}

    public static String of(String given) {
        String threadName = given.length() > LONGEST ? given.substring(0, LONGEST) : given;
        String name =
                HASH.matcher(threadName).replaceAll(m -> m.group(1) == null ? "" : m.group(1));
        name = REQUEST.matcher(NUMBER_BEFORE_NAME.matcher(name).replaceFirst(" ")).replaceFirst("");
        String pool = NUMBER_AT_END.matcher(name).replaceFirst("");
        return pool.isEmpty() ? threadName : pool;
    }
}
