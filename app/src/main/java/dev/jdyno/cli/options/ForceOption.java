package dev.jdyno.cli.options;

import picocli.CommandLine.Option;

/// `--force`: the verb continues although another jdyno works on the same target.
public final class ForceOption {
    @Option(
            names = "--force",
            description =
                    "Go on although another jdyno works on the same target: each measures the other's"
                            + " work, too.")
    public boolean wanted;
}
