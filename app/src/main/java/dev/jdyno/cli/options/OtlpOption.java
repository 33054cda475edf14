package dev.jdyno.cli.options;

import dev.jdyno.cli.terminal.Version;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.otlp.OtlpEndpoint;
import dev.jdyno.otlp.OtlpExport;
import dev.jdyno.plan.Environment;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// `--otlp`: whether the figures of a run are sent to an OpenTelemetry collector.
public final class OtlpOption {
    /// Environment variables of OpenTelemetry that are read, too.
    private static final String HEADERS = "OTEL_EXPORTER_OTLP_HEADERS";

    private static final String SERVICE = "OTEL_SERVICE_NAME";
    private static final String DEFAULT_SERVICE = "jdyno";
    private static final String OTLP = "--otlp";

    @Option(
            names = OTLP,
            paramLabel = "URL",
            description =
                    "Send the figures of each round, and the verdict, to this OpenTelemetry"
                            + " collector (OTLP over HTTP, JSON), such as http://127.0.0.1:4318."
                            + " $OTEL_EXPORTER_OTLP_HEADERS has its credentials.")
    private @Nullable String url;

    /// Reads the collector's address and the headers for it.
    public Optional<OtlpEndpoint> endpoint(Environment environment, Problems problems) {
        Optional<String> headers = environment.value(HEADERS);
        return OptionTexts.optional(OTLP, url, OtlpEndpoint::parse, problems)
                .map(e -> headers.map(h -> withHeaders(e, h, problems)).orElse(e));
    }

    private static OtlpEndpoint withHeaders(
            OtlpEndpoint endpoint, String headers, Problems problems) {
        try {
            return endpoint.withHeaders(headers);
        } catch (IllegalArgumentException e) {
            problems.add(
                    HEADERS,
                    String.valueOf(e.getMessage()),
                    "write name=value,name=value, with %20 for a blank");
            return endpoint;
        }
    }

    /// Sends the figures of one run, if they are requested.
    ///
    /// @param plan name of the run
    public Sending sending(String plan, Environment environment, PrintWriter err) {
        var problems = Problems.ofCommand("jdyno run");
        Optional<OtlpEndpoint> endpoint = endpoint(environment, problems);
        problems.throwIfAny();
        return new Sending(
                endpoint.map(e ->
                        new OtlpExport(
                                e,
                                environment
                                        .value(SERVICE)
                                        .filter(s -> !s.isBlank())
                                        .orElse(DEFAULT_SERVICE),
                                plan,
                                Version.text(),
                                InstantSource.system(),
                                line -> {
                                    err.println(line);
                                    err.flush();
                                })));
    }

    /// The export of one run.
    ///
    /// @param wanted empty if nothing is sent
    public record Sending(Optional<OtlpExport> wanted) implements AutoCloseable {
        @Override
        public void close() {
            wanted.ifPresent(OtlpExport::close);
        }
    }
}
