package dev.jdyno.plan;

import dev.jdyno.measure.load.GrpcUrl;
import dev.jdyno.measure.load.HttpUrl;
import dev.jdyno.measure.load.HttpWords;
import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Readers of single values of a plan or the command line; each throws IllegalArgumentException
/// with the reason.
public final class PlanValues {
    /// Port that replaces {@link Plan#PORT} in a URL until the real port is known.
    private static final String ANY_PORT = "1";

    /// Host, port, and the selection of the JVM.
    private static final Pattern OBSERVED =
            Pattern.compile(
                    "([\\w.-]{1,253}|\\[[0-9a-fA-F:.]{2,45}])"
                            + "(?::(\\d{1,5}))?(?::(name|port|pid)=(.{1,200}))?");

    /// Default port of an observing agent.
    private static final int OBSERVER_PORT = 4711;

    private PlanValues() {}

    /// An absolute http or https URL with a host, or one of grpc or grpcs.
    public static URI url(String text) {
        return GrpcUrl.is(text) ? URI.create(GrpcUrl.of(GrpcUrl.http(text))) : HttpUrl.parse(text);
    }

    /// Parses the URL of a service that gets a free port at each start. The URL contains {@link
    /// Plan#PORT}.
    public static URI urlOfAnyPort(String text) {
        return url(text.replace(Plan.PORT, ANY_PORT));
    }

    /// An HTTP method, in capitals.
    public static String method(String text) {
        return HttpWords.method(text).toUpperCase(Locale.ROOT);
    }

    static long pid(String text) {
        long pid = Long.parseLong(text.trim());
        if (pid < 1) {
            throw new IllegalArgumentException(pid + " is no process id");
        }
        return pid;
    }

    /// An agent's address and the selection of the JVM on its host: `app1`, `app1:4711:name=shop`,
    /// `app1:port=8080`, `[::1]:4711:pid=17`.
    ///
    /// @param tokenFile contains the secret that the agent and this process share
    public static Plan.TargetPlan.Observed observed(String text, Path tokenFile) {
        Matcher m = OBSERVED.matcher(text.trim());
        if (!m.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not HOST[:PORT][:name=NAME|:port=PORT|:pid=PID]");
        }
        int agentPort = m.group(2) == null ? OBSERVER_PORT : port(m.group(2));
        Selector which =
                switch (m.group(3)) {
                    case null -> new Selector.Only();
                    case "name" -> new Selector.Name(m.group(4));
                    case "port" -> new Selector.Port(port(m.group(4)));
                    default -> new Selector.Pid(pid(m.group(4)));
                };
        return new Plan.TargetPlan.Observed(m.group(1) + ":" + agentPort, which, tokenFile);
    }

    /// A TCP port.
    public static int port(String text) {
        int port = Integer.parseInt(text.trim());
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException(port + " is no port");
        }
        return port;
    }

    static int count(String text) {
        int n = Integer.parseInt(text.trim());
        if (n < 1) {
            throw new IllegalArgumentException(n + " is less than 1");
        }
        return n;
    }

    /// A share: `1%` or `0.01`.
    static double share(String text) {
        String t = text.trim();
        double v =
                t.endsWith("%")
                        ? Double.parseDouble(t.substring(0, t.length() - 1)) / 100
                        : Double.parseDouble(t);
        if (!(v >= 0 && v <= 1)) {
            throw new IllegalArgumentException("'" + text + "' is no share between 0 and 100 %");
        }
        return v;
    }

    static boolean flag(String text) {
        return switch (text) {
            case "true", "yes" -> true;
            case "false", "no" -> false;
            default -> throw new IllegalArgumentException("'" + text + "' is not true or false");
        };
    }

    /// Returns the text if it is an address such as `127.0.0.1:8081`.
    public static String hostAndPort(String text) {
        int colon = text.lastIndexOf(':');
        boolean port = colon > 0 && text.substring(colon + 1).matches("\\d{1,5}");
        if (!port || Integer.parseInt(text.substring(colon + 1)) > 65_535) {
            throw new IllegalArgumentException("'" + text + "' is not host:port");
        }
        return text;
    }

    /// Default port of an agent.
    public static final int AGENT_PORT = 4711;

    /// Returns an agent's address with its port: `lg1`, `lg1:4711` or `[fd00::1]:4711`.
    public static String agent(String text) {
        String t = text.strip();
        boolean bare = t.lastIndexOf(':') < 0 || t.endsWith("]");
        String whole = bare ? t + ":" + AGENT_PORT : t;
        if (!whole.matches("([\\w.-]+|\\[[\\w.:%]+]):\\d{1,5}")) {
            throw new IllegalArgumentException("'" + text + "' is not HOST or HOST:PORT");
        }
        return hostAndPort(whole);
    }
}
