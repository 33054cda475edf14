package dev.jdyno.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
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
            "How far to trust it: docs/heap-model.md"
        })
final class HeapCommand implements Callable<Integer> {
    @Mixin private HeapOptions options = new HeapOptions();

    @Option(names = "--json", description = "Print one JSON document.")
    private boolean json;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
        HeapAnswer answer = HeapAnswer.of(options.parse());
        PrintWriter out = spec.commandLine().getOut();
        out.println(json ? answer.json() : answer.text());
        return 0;
    }
}
