package dev.jdyno.cli;

import dev.jdyno.cli.options.FramesOption;
import dev.jdyno.cli.terminal.Interrupt;
import dev.jdyno.cli.terminal.PlainOutput;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Durations;
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
    private static final int MOST_DUMPS = 1000;

    @Parameters(paramLabel = "PID", description = "Process id of the JVM.")
    private long pid;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "2s",
            description = "Over which time to look (default: ${DEFAULT-VALUE}).")
    private String duration = "";

    @Option(
            names = "--dumps",
            paramLabel = "N",
            defaultValue = "10",
            description = "Thread dumps in that time (default: ${DEFAULT-VALUE}).")
    private int dumps;

    @Option(
            names = "--top",
            paramLabel = "N",
            defaultValue = "8",
            description = "Busiest threads to show (default: ${DEFAULT-VALUE}).")
    private int top;

    @Option(
            names = "--owners",
            description =
                    "Also ask who owns java.util.concurrent locks. The JVM walks its heap for it and"
                            + " stands still meanwhile: the more live objects, the longer.")
    private boolean owners;

    @Mixin private FramesOption frames = new FramesOption();

    @Mixin PlainOutput output = new PlainOutput();

    @Option(names = "--json", description = "Print one JSON document.")
    private boolean json;

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
                            .look(window, dumps, owners);
            List<ThreadLimit> limits = ThreadLimits.of(pid);
            out.print(
                    json
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
        Duration window = Duration.ZERO;
        try {
            window = Durations.parse(duration);
            if (window.isZero() || window.isNegative()) {
                problems.add("--duration", "is " + duration, "give a time such as 2s");
            }
        } catch (IllegalArgumentException e) {
            problems.add("--duration", String.valueOf(e.getMessage()), "give a time such as 2s");
        }
        if (dumps < 1 || dumps > MOST_DUMPS) {
            problems.add("--dumps", "is " + dumps, "give 1 to " + MOST_DUMPS);
        }
        if (top < 0) {
            problems.add("--top", "is " + top, "give 0 or more");
        }
        problems.throwIfAny();
        return window;
    }
}
