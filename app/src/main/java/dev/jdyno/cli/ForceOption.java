package dev.jdyno.cli;

import picocli.CommandLine.Option;

/// `--force` of the verbs that want a target for themselves.
final class ForceOption {
    @Option(
            names = "--force",
            description =
                    "Go on although another jdyno works on the same target: each measures the other's"
                            + " work, too.")
    boolean wanted;
}
