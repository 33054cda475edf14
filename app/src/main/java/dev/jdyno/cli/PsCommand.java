package dev.jdyno.cli;

import dev.jdyno.cli.terminal.PlainOutput;
import dev.jdyno.inside.RunningJvms;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.RunningJvm;
import dev.jdyno.report.JvmsReport;
import dev.jdyno.target.ProcFs;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "ps",
        mixinStandardHelpOptions = true,
        description = {
            "List the JVMs of this host: pid, user, ports, age, CPU, what was started.",
            "",
            "CPU is cores in use over half a second. JVMs of other users are listed for root only."
                    + " Nothing is sent to a JVM and nothing is started in it."
        },
        footer = {
            "",
            "Example: jdyno ps",
            "Next: jdyno diagnose PID shows what limits one of them."
        })
final class PsCommand implements Callable<Integer> {
    @Mixin PlainOutput output = new PlainOutput();

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        List<RunningJvm> jvms = new RunningJvms(ProcFs.SYSTEM).all(NanoClock.SYSTEM);
        PrintWriter out = spec.commandLine().getOut();
        out.print(output.json ? JvmsReport.json(jvms) : JvmsReport.text(jvms));
        out.flush();
        return 0;
    }
}
