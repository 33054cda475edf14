package dev.jdyno.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        description = "Check this machine for what the other verbs need. (not yet)")
final class DoctorCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        throw NotYet.verb("doctor");
    }
}
