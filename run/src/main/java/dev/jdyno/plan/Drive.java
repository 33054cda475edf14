package dev.jdyno.plan;

import dev.jdyno.measure.text.UserError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A program of the user that sends the load in place of our own engine.
///
/// @param command its command line with {@link #USERS} and {@link #SECONDS}, and {@link #OUT} for a
///   file that it may write; started in the same way as a launch command
/// @param through port of our proxy on loopback, which counts the requests that the program sends
///   there; empty: the program's own output counts
public record Drive(String command, Optional<Integer> through) {
    /// Placeholder for the number of users or connections.
    public static final String USERS = "{n}";

    /// Placeholder for the length of a run in whole seconds.
    public static final String SECONDS = "{seconds}";

    /// Placeholder for the path to which the program writes its results.
    public static final String OUT = "{out}";

    /// @throws IllegalArgumentException if a required placeholder is missing, because no load could
    ///   be chosen without it
    public static Drive parse(String command) {
        List<String> missing =
                List.of(USERS, SECONDS).stream().filter(p -> !command.contains(p)).toList();
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException(
                    String.join(" and ", missing)
                            + (missing.size() == 1 ? " is" : " are")
                            + " missing: jdyno chooses both for each run");
        }
        return new Drive(command, Optional.empty());
    }

    /// Returns the same command with requests through jdyno's proxy.
    public Drive withThrough(int port) {
        return new Drive(command, Optional.of(port));
    }

    /// True if the command contains the placeholder for the port of the loaded service.
    public boolean takesPort() {
        return command.contains(Plan.PORT);
    }

    /// Returns the same tool for a service on this port.
    public Drive at(int port) {
        return new Drive(command.replace(Plan.PORT, Integer.toString(port)), through);
    }

    /// True if the tool reaches a service on any port: its command takes the port, or its requests
    /// pass through jdyno's proxy.
    public boolean reachesAnyPort() {
        return takesPort() || through.isPresent();
    }

    /// Returns the plan for a verb that sends its own load.
    ///
    /// @throws UserError if the plan has a load tool
    public static Plan refuse(Plan plan, String verb) {
        if (plan.drive().isPresent()) {
            throw UserError.usage(
                    verb + " lets no load tool send the load yet",
                    "the plan has drive:",
                    "leave it out of the plan, or use the plan with jdyno run");
        }
        return plan;
    }

    /// Returns the keys of a plan that describe requests, because a load tool does not send these.
    /// Keys with the value that a plan without them has are left out, such as the method GET.
    public static List<String> unsent(Plan plan) {
        List<String> keys = new ArrayList<>();
        if (plan.workload().isPresent()) {
            keys.add("workload");
        }
        if (!plan.method().equals("GET")) {
            keys.add("method");
        }
        if (plan.body().isPresent()) {
            keys.add("body");
        }
        if (!plan.headers().isEmpty()) {
            keys.add("headers");
        }
        if (!plan.tls().equals(Plan.Tls.DEFAULT)) {
            keys.add("tls");
        }
        if (!plan.request().grpc().equals(GrpcTerms.DEFAULT)) {
            keys.add("grpc");
        }
        return keys;
    }

    /// The mistake if a plan describes requests that jdyno does not send.
    public static final String OWN_REQUESTS = "the load tool of drive: sends its own requests";

    /// The mistake if the service gets another port at each start and the tool always uses the same
    /// one.
    public static final String NO_PORT =
            "the service gets another port at each start, and the tool's command has no {port}";

    /// The fix for a tool that cannot load services on different ports.
    public static final String WRITE_PORT =
            "write {port} for the port in the command: 'wrk -t1 -c{n} -d{seconds}s --latency"
                    + " http://127.0.0.1:{port}/'";

    /// The form of such a command, for messages.
    public static final String FORM =
            "write 'wrk -t1 -c{n} -d{seconds}s --latency --timeout 30s URL',"
                    + " 'ab -c{n} -t{seconds} -n 100000000 URL' or the like";

    /// The command of one run.
    ///
    /// @param out replaces {@link #OUT}, quoted for the shell
    public String of(int users, int seconds, String out) {
        return command.replace(USERS, Integer.toString(users))
                .replace(SECONDS, Integer.toString(seconds))
                .replace(OUT, "'" + out.replace("'", "'\\''") + "'");
    }
}
