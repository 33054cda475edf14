package dev.jdyno.cli.heap;

import dev.jdyno.cli.terminal.Interrupt;
import dev.jdyno.cli.terminal.PlainOutput;
import dev.jdyno.heapmodel.advice.HeapGoal;
import dev.jdyno.heapmodel.simulation.HeapAnswer;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.report.json.HeapAdviceForm;
import dev.jdyno.report.json.JsonDocument;
import dev.jdyno.report.words.memory.HeapAdviceText;
import dev.jdyno.report.words.memory.HeapText;
import dev.jdyno.sizing.LiveHeap;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "heap",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Predict a generational heap's behaviour from request memory and flags; no JVM"
                        + " needed.",
        footer = {
            "",
            "Example: two requests at a time that hold 2 MB for 10 ms in a young generation of 20",
            "MB (E5: full collections are frequent):",
            "  jdyno heap --collector parallel --xmx 256m --xmn 20m --survivor-ratio 8 \\",
            "    --request-bytes 2m --hold 10ms --concurrency 2 --requests 1000",
            "or what heap a JVM that runs would need for pauses of 50 ms in 2 GB:",
            "  jdyno heap --pid 4711 --duration 60s --slo pause=50ms --container 2g",
            "How far to trust it: docs/heap-model.md"
        })
public final class HeapCommand implements Callable<Integer> {
    private static final Duration LENGTH_MIN = Duration.ofSeconds(1);
    private static final Duration LENGTH_MAX = Duration.ofHours(1);

    @Mixin private HeapOptions options = new HeapOptions();

    @Option(
            names = "--pid",
            paramLabel = "PID",
            description = "Read a running JVM instead, and advise a heap for it.")
    private @Nullable Long pid;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            description = "With --pid: how long to watch it. Default: ${DEFAULT-VALUE}")
    private String duration = "30s";

    @Option(
            names = "--slo",
            paramLabel = "GOAL",
            description = "With --pid: pause=50ms, gc=5%% (of the time) or both with a comma.")
    private String slo = "";

    @Mixin private SizingOptions sizing = new SizingOptions();

    @Mixin PlainOutput output = new PlainOutput();

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException, IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (pid != null) {
            Duration length = length();
            try (Interrupt interrupt = new Interrupt()) {
                LiveHeap live =
                        LiveHeap.watch(
                                pid, length, interrupt::isSet, HeapGoal.parse(slo), sizing.parse());
                out.println(
                        output.json
                                ? JsonDocument.text(HeapAdviceForm.of(live))
                                : String.join(System.lineSeparator(), HeapAdviceText.lines(live)));
                out.flush();
                return interrupt.isSet() ? Interrupt.EXIT_CODE : 0;
            }
        }
        HeapOptions.Asked asked = options.parse();
        HeapAnswer answer = HeapAnswer.of(asked.flags(), asked.load(), asked.youngSizes());
        out.println(output.json ? JsonDocument.text(answer) : new HeapText(answer).text());
        return 0;
    }

    private Duration length() {
        try {
            Duration length = Durations.parse(duration);
            if (length.compareTo(LENGTH_MIN) < 0 || length.compareTo(LENGTH_MAX) > 0) {
                throw new IllegalArgumentException("not between 1 s and 1 h");
            }
            return length;
        } catch (IllegalArgumentException e) {
            throw UserError.usage(
                            "--duration " + duration,
                            String.valueOf(e.getMessage()),
                            "write a time such as 30s or 5m")
                    .causedBy(e);
        }
    }
}
