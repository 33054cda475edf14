package dev.jdyno.cli.options;

import dev.jdyno.measure.text.Problems;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// The parts of a request, for verbs that send one; named as in curl.
public final class RequestOptions {
    @Option(
            names = {"-m", "-X", "--method"},
            paramLabel = "METHOD",
            description = "HTTP method. Default: ${DEFAULT-VALUE}")
    private String method;

    @Option(
            names = {"-H", "--header"},
            paramLabel = "NAME: VALUE|@FILE",
            description =
                    "A request header, or a file with one a line, as in curl; may be given again.")
    private List<String> headers = List.of();

    @Option(
            names = {"-b", "--body", "--data"},
            paramLabel = "TEXT|@FILE",
            description = "The request's body; of gRPC its message as JSON.")
    private @Nullable String body;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec verb;

    /// @param preset default method in the help
    public RequestOptions(String preset) {
        method = preset;
    }

    /// The method, if it is given.
    public Optional<String> method() {
        return OptionTexts.given(verb, "--method", method);
    }

    /// The body's text or `@FILE`, if it is given.
    public Optional<String> body() {
        return Optional.ofNullable(body);
    }

    /// True if one of these options is given.
    public boolean isGiven() {
        return method().isPresent() || body().isPresent() || !headers.isEmpty();
    }

    public List<AtFile.Header> headers(Problems problems) {
        return AtFile.headers(headers, problems);
    }
}
