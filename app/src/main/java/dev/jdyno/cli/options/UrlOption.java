package dev.jdyno.cli.options;

import dev.jdyno.measure.text.Problems;
import dev.jdyno.plan.Plan;
import dev.jdyno.plan.PlanValues;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// `--url`: what is loaded, for the verbs that take a URL instead of a plan.
public final class UrlOption {
    /// Stands for a URL that is missing or wrong, until the mistakes are reported.
    public static final URI MISSING = URI.create("http://missing.invalid/");

    @Option(
            names = "--url",
            paramLabel = "URL",
            description =
                    "The URL to load; {port} in it is the port that each start gets.")
    private @Nullable String url;

    /// The text, if it was given.
    public Optional<String> given() {
        return Optional.ofNullable(url);
    }

    /// The URL, if it was given.
    public Optional<URI> of(Problems problems) {
        return given().map(text -> parse("--url", text, true, problems));
    }

    /// A URL; {@link #MISSING} for a mistake.
    ///
    /// @param anyPort whether `{port}` may stand in it
    public static URI parse(String option, String text, boolean anyPort, Problems problems) {
        return OptionTexts.optional(
                        option,
                        text,
                        anyPort ? PlanValues::urlOfAnyPort : PlanValues::url,
                        problems)
                .orElse(MISSING);
    }

    /// Whether a URL has a place for the port.
    public static boolean hasPort(Optional<String> url) {
        return url.filter(u -> u.contains(Plan.PORT)).isPresent();
    }

    /// Adds a mistake where the URL has a place for the port and the command has none.
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
