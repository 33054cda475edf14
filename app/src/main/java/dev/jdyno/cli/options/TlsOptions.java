package dev.jdyno.cli.options;

import dev.jdyno.load.wire.TlsSettings;
import dev.jdyno.plan.Plan;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Which certificates are trusted, for verbs that load; named as in curl.
public final class TlsOptions {
    @Option(
            names = {"-k", "--insecure"},
            description = "TLS: accept any certificate.")
    private boolean insecure;

    @Option(
            names = "--cacert",
            paramLabel = "FILE",
            description = "TLS: trust the PEM certificates of this file instead of the JVM's.")
    private @Nullable Path caFile;

    TlsSettings settings() {
        return new TlsSettings(insecure, Optional.ofNullable(caFile));
    }

    /// The TLS settings of the plan, changed by the given options.
    public Plan.Tls over(Plan.Tls planned) {
        return new Plan.Tls(
                insecure || planned.insecure(), Optional.ofNullable(caFile).or(planned::caFile));
    }
}
