package dev.jdyno.cli;

import dev.jdyno.cli.options.FramesOption;
import dev.jdyno.cli.options.ObservationOptions;
import dev.jdyno.cli.terminal.Interrupt;
import dev.jdyno.cli.terminal.PlainOutput;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.thread.ThreadLimit;
import dev.jdyno.measure.thread.ThreadReport;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.window.ThreadWatch;
import dev.jdyno.report.ThreadsReport;
import dev.jdyno.target.JvmFacts;
import dev.jdyno.target.Target;
import dev.jdyno.target.ThreadLimits;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "threads",
        mixinStandardHelpOptions = true,
        description = {
            "Show what the threads of a JVM do: pools, waits, locks, CPU by thread.",
            "",
            "Takes some thread dumps over a short time (each stops the JVM; the longest stop is printed) and counts"
                    + " CPU per thread meanwhile. Idle pool threads are counted as idle, not as waiting."
        },
        footer = {"", "Example: jdyno threads 4711 --duration 5s"})
final class ThreadsCommand implements Callable<Integer> {
    @Parameters(paramLabel = "PID", description = "Process id of the JVM.")
    private long pid;

    @Mixin
    private ObservationOptions watch =
            new ObservationOptions(Duration.ofSeconds(2), Duration.ofMillis(1), 10);

    @Option(
            names = "--top",
            paramLabel = "N",
            description = "Busiest threads to show (default: ${DEFAULT-VALUE}).")
    private int top = 8;

    @Option(
            names = "--owners",
            description =
                    "Also find the owners of java.util.concurrent locks. The JVM stops and"
                            + " searches its heap for this: the more live objects, the longer.")
    private boolean owners;

    @Mixin private FramesOption frames = new FramesOption();

    @Mixin PlainOutput output = new PlainOutput();

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        Duration window = checked();
        Frames known = Frames.with(frames.file());
        PrintWriter out = spec.commandLine().getOut();
        try (Interrupt interrupt = new Interrupt();
                Target target = Target.attach(pid)) {
            ThreadReport report =
                    new ThreadWatch(target, NanoClock.SYSTEM, known, interrupt::isSet)
                            .look(window, watch.dumps(), owners);
            List<ThreadLimit> limits = ThreadLimits.of(pid);
            out.print(
                    output.json
                            ? ThreadsReport.json(report, pid, limits)
                            : ThreadsReport.text(report, title(target.facts()), top, limits));
            out.flush();
            return interrupt.isSet() ? Interrupt.EXIT_CODE : 0;
        }
    }

    private String title(JvmFacts jvm) {
        return "PID "
                + pid
                + jvm.jvm().map(j -> "  " + j).orElse("")
                + jvm.collector().map(c -> "  " + c).orElse("");
    }

    private Duration checked() {
        var problems = Problems.ofCommand("jdyno threads");
        Duration window = watch.duration(problems);
        if (top < 0) {
            problems.add("--top", "is " + top, "give 0 or more");
        }
        problems.throwIfAny();
        return window;
    }
}
