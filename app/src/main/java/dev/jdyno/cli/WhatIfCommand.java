package dev.jdyno.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(
        name = "whatif",
        mixinStandardHelpOptions = true,
        description = "Answer F1/F2 and the queueing model on given demands. (not yet)")
final class WhatIfCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        throw NotYet.verb("whatif");
    }
}
