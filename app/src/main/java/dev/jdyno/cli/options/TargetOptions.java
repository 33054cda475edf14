package dev.jdyno.cli.options;

import dev.jdyno.measure.text.Problems;
import dev.jdyno.plan.Drive;
import dev.jdyno.plan.Plan;
import dev.jdyno.plan.PlanFile;
import dev.jdyno.plan.PlanValues;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// The JVM under test: a running JVM, one that jdyno starts, one on another host, or none. {@link
/// PodOptions} names a JVM in a pod.
public final class TargetOptions {
    private static final List<String> ALL =
            List.of("--pid", "--launch", "--observe", "--k8s", "--no-target");

    @Mixin private Launch launch = new Launch();

    @Option(
            names = "--pid",
            description =
                    "Watch this JVM, which runs already; with a plan, in place of the plan's pid.")
    private @Nullable Long pid;

    @Option(
            names = "--observe",
            paramLabel = "HOST[:PORT][:WHICH]",
            description =
                    "Watch a JVM of another host, where jdyno agent runs; WHICH is port=8080, name=shop or"
                            + " pid=17. Needs --key-file or --token-file.")
    private @Nullable String observe;

    @Option(names = "--no-target", description = "Only send load; watch no JVM.")
    boolean noTarget;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec verb;

    public Optional<Long> pid() {
        return Optional.ofNullable(pid);
    }

    /// True if the launch command has the placeholder of the port, so that each start gets its own
    /// port.
    public boolean launchesAtAnyPort() {
        return launch.hasPort();
    }

    /// Number of these options that are given.
    private long given() {
        return ALL.stream().filter(option -> OptionTexts.isGiven(verb, option)).count();
    }

    public boolean isEmpty() {
        return given() == 0;
    }

    /// True if an option is given that conflicts with a plan, because the plan names its target.
    public boolean refusePlan() {
        return given() > (pid == null ? 0 : 1);
    }

    /// @param secret of the agent that observes the target
    public Plan.TargetPlan target(Optional<Path> secret, Problems problems) {
        if (given() > 1) {
            problems.add(
                    String.join(" | ", ALL),
                    "more than one of them is given",
                    "give one of them: which JVM is under test?");
        }
        if (launch.command().isPresent()) {
            return launch.target();
        }
        if (observe != null) {
            return observed(observe, secret, problems);
        }
        return pid != null ? new Plan.TargetPlan.Attach(pid) : new Plan.TargetPlan.None();
    }

    private static Plan.TargetPlan observed(String text, Optional<Path> secret, Problems problems) {
        if (secret.isEmpty()) {
            problems.add(
                    "--observe",
                    "given without --key-file and --token-file",
                    "add the run's private key (jdyno agents key FILE), or the token that the agent holds");
            return new Plan.TargetPlan.None();
        }
        return OptionTexts.<Plan.TargetPlan>optional(
                        "--observe",
                        text,
                        which -> PlanValues.observed(which, secret.get()),
                        problems)
                .orElse(new Plan.TargetPlan.None());
    }

    /// `--url`: the address to load, for verbs that take a URL instead of a plan.
    public static final class Url {
        /// Placeholder for a URL that is missing or wrong, until the mistakes are reported.
        public static final URI MISSING = URI.create("http://missing.invalid/");

        @Option(
                names = "--url",
                paramLabel = "URL",
                description = "The URL to load; {port} in it is the port that each start gets.")
        private @Nullable String url;

        /// The text of the option, if it is given.
        public Optional<String> given() {
            return Optional.ofNullable(url);
        }

        /// The URL, if it is given.
        public Optional<URI> of(Problems problems) {
            return given().map(text -> parse("--url", text, true, problems));
        }

        /// Parses a URL. Returns {@link #MISSING} after a mistake.
        ///
        /// @param anyPort true if `{port}` may appear in the URL
        public static URI parse(String option, String text, boolean anyPort, Problems problems) {
            return OptionTexts.optional(
                            option,
                            text,
                            anyPort ? PlanValues::urlOfAnyPort : PlanValues::url,
                            problems)
                    .orElse(MISSING);
        }

        /// True if a URL has the placeholder of the port.
        private static boolean hasPort(Optional<String> url) {
            return url.filter(u -> u.contains(Plan.PORT)).isPresent();
        }

        /// Adds a mistake if the URL has the placeholder of the port and the command does not.
        public static void requirePort(
                String option, String command, Optional<String> url, Problems problems) {
            if (hasPort(url) && !command.contains(Plan.PORT)) {
                problems.add(
                        option + " " + command,
                        "the URL has {port} and the command has not",
                        "write {port} where the command takes its port");
            }
        }
    }

    /// `--launch`: the command that starts the service.
    public static final class Launch {
        @Option(
                names = "--launch",
                paramLabel = "COMMAND",
                description =
                        "Start this command, watch its JVM, end it afterwards; {port} in it and in the"
                                + " URL is a free port.")
        private @Nullable String command;

        public Optional<String> command() {
            return Optional.ofNullable(command);
        }

        /// True if the command has the placeholder of the port.
        public boolean hasPort() {
            return command != null && command.contains(Plan.PORT);
        }

        /// The service to start; no target if no command is given.
        public Plan.TargetPlan target() {
            return command == null
                    ? new Plan.TargetPlan.None()
                    : new Plan.TargetPlan.Launch(command);
        }

        /// Returns the plan of a verb that starts the service again and again: a plan of a file, in
        /// which the command of the command line replaces the plan's, or one of a URL.
        ///
        /// @param word path of a plan, or URL
        /// @param verb name of the verb, such as `warm`; also that of a plan of a URL
        public Plan plan(String word, String verb, Problems problems) {
            if (word.contains("://")) {
                return Plan.of(verb, Url.parse("URL", word, hasPort(), problems), target());
            }
            Plan plan =
                    Drive.refuse(
                            PlanFile.read(Path.of(word), OptionTexts.ENVIRONMENT)
                                    .runnable()
                                    .onThisHost("jdyno " + verb),
                            "jdyno " + verb);
            return command == null ? plan : plan.withTarget(target());
        }
    }
}
