package dev.jdyno.cli;

import dev.jdyno.cli.options.SecretOption;
import dev.jdyno.cli.options.TargetOptions;
import dev.jdyno.inside.remote.LaunchName;
import dev.jdyno.measure.load.HttpUrl;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.plan.Plan;
import dev.jdyno.plan.PlanValues;
import dev.jdyno.plan.Selector;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The agent that starts both variants of `jdyno compare` on another host. It has the commands; a
/// variant only names one of them.
final class AwayOptions {
    /// Begins the name of a command of the agent.
    private static final String PREFIX = "launch:";

    private static final String TAKES_NOTHING =
            "an agent starts only the commands of its own --launch options, and takes no command or"
                    + " flag from this host";

    private static final String FIX =
            "start the agent with both commands, --launch a='java -jar app.jar {port}' --launch"
                    + " b='java FLAGS -jar app.jar {port}', and write --a launch:a --b launch:b";

    @Option(
            names = "--observe",
            paramLabel = "HOST[:PORT]",
            description =
                    "The agent on the service's host starts A and B and observes them; --a and --b"
                            + " are launch:NAME, which its --launch NAME=COMMAND names. Needs"
                            + " --key-file or --token-file.")
    private @Nullable String observe;

    @Mixin private SecretOption secret = new SecretOption();

    boolean isGiven() {
        return observe != null;
    }

    /// True if the text names a command of an agent.
    static boolean isName(@Nullable String command) {
        return command != null && command.startsWith(PREFIX);
    }

    /// Adds the mistakes of a comparison on another host that belong to no single variant.
    ///
    /// @param url as given
    /// @param urlB that of B, as given
    /// @param ofA the URL of A
    void check(Optional<String> url, Optional<String> urlB, URI ofA, Problems problems) {
        if (observe == null) {
            return;
        }
        if (secret.file().isEmpty()) {
            problems.add(
                    "--observe",
                    "given without --key-file and --token-file",
                    "add the run's private key (jdyno agents key FILE), or the token that the"
                            + " agent holds");
        }
        secret.file().ifPresent(file -> agent(file, problems));
        requirePort("--url", url, problems);
        requirePort("--url-b", urlB, problems);
        // a URL with a mistake is reported where it is read
        URI ofB =
                urlB.map(text -> TargetOptions.Url.parse("--url-b", text, true, new Problems()))
                        .orElse(ofA);
        List<URI> both = List.of(ofA, ofB);
        if (!both.contains(TargetOptions.Url.MISSING)
                && !HttpUrl.host(ofA).equals(HttpUrl.host(ofB))) {
            problems.add(
                    "--url-b",
                    "it has another host than the URL of A, and one agent starts both services",
                    "write the host of the URL of A");
        }
    }

    private static void requirePort(String option, Optional<String> url, Problems problems) {
        if (url.filter(u -> !u.contains(Plan.PORT)).isPresent()) {
            problems.add(
                    option,
                    "it has no {port}, and the agent chooses the port of each start",
                    "write {port} in place of the port");
        }
    }

    /// Adds a mistake if B should get flags.
    void refuseFlags(@Nullable String flags, Problems problems) {
        if (observe != null && flags != null) {
            problems.add("--flags-b", TAKES_NOTHING, FIX);
        }
    }

    /// Adds a mistake if a load tool should load the services.
    void refuseDrive(boolean drives, Problems problems) {
        if (observe != null && drives) {
            problems.add(
                    "--drive",
                    "a load tool is not used for services of another host yet",
                    "leave out --drive, and jdyno sends the load; or leave out --observe");
        }
    }

    /// The service of a variant, on the agent's host.
    ///
    /// @param name `a` or `b`, as in the options
    Plan.TargetPlan target(
            String name, @Nullable String command, @Nullable Long pid, Problems problems) {
        Optional<String> launch =
                Optional.ofNullable(command)
                        .filter(AwayOptions::isName)
                        .map(c -> c.substring(PREFIX.length()));
        if (pid != null) {
            problems.add(
                    "--pid-" + name, "a process of this host is not on the host of --observe", FIX);
        } else if (launch.isEmpty()) {
            problems.add("--" + name, command == null ? "missing" : TAKES_NOTHING, FIX);
        } else if (!LaunchName.isName(launch.get())) {
            problems.add(
                    "--" + name + " " + command,
                    "it names no command: a name has " + LaunchName.FORM,
                    FIX);
        } else if (secret.file().isPresent()) {
            Optional<Plan.TargetPlan.Observed> agent = agent(secret.file().get(), new Problems());
            if (agent.isPresent()) {
                return new Plan.TargetPlan.Observed(
                        agent.get().agent(),
                        new Selector.Launch(launch.get()),
                        agent.get().tokenFile());
            }
        }
        return new Plan.TargetPlan.None();
    }

    /// The agent alone; empty after a mistake.
    private Optional<Plan.TargetPlan.Observed> agent(Path file, Problems problems) {
        String text = String.valueOf(observe);
        String why;
        try {
            Plan.TargetPlan.Observed agent = PlanValues.observed(text, file);
            if (agent.which() instanceof Selector.Only) {
                return Optional.of(agent);
            }
            why = "it selects a JVM that runs already, and compare starts both variants";
        } catch (IllegalArgumentException e) {
            why = String.valueOf(e.getMessage());
        }
        problems.add("--observe " + text, why, "write HOST or HOST:PORT of the agent");
        return Optional.empty();
    }
}
