package dev.jdyno.cli.options;

import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.plan.GrpcTerms;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The terms of gRPC calls, for verbs that take `grpc://host:port/package.Service/Method`.
public final class GrpcOptions {
    @Option(
            names = "--proto",
            paramLabel = "FILE",
            description =
                    "gRPC: the methods from a descriptor set (protoc --include_imports"
                            + " --descriptor_set_out=FILE) instead of server reflection.")
    private @Nullable Path proto;

    @Option(
            names = "--deadline",
            paramLabel = "TIME",
            description =
                    "gRPC: sent with each call; one that has not ended by then is"
                            + " DEADLINE_EXCEEDED. Default: none")
    private @Nullable String deadline;

    @Option(
            names = "--gzip",
            description = "gRPC: compress request messages, and accept compressed replies.")
    private boolean gzip;

    /// The terms of the plan, changed by the given options.
    ///
    /// @param grpc true if the URL is a gRPC URL
    public GrpcTerms over(GrpcTerms planned, boolean grpc, Problems problems) {
        if (!grpc && (proto != null || deadline != null || gzip)) {
            problems.add(
                    "--proto, --deadline, --gzip",
                    "given for a URL that is none of gRPC",
                    "write grpc://host:port/package.Service/Method, or leave them out");
        }
        Optional<Duration> time =
                OptionTexts.optional("--deadline", deadline, Durations::parse, problems);
        if (time.isPresent() && !time.get().isPositive()) {
            problems.add("--deadline " + deadline, "must be > 0", "e.g. --deadline 500ms");
            time = Optional.empty();
        }
        return new GrpcTerms(
                Optional.ofNullable(proto).or(planned::proto),
                time.or(planned::deadline),
                gzip || planned.gzip(),
                planned.streams());
    }
}
