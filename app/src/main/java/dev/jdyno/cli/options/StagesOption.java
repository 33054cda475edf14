package dev.jdyno.cli.options;

import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.thread.MethodName;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/// `--stages`: methods whose calls are timed.
public final class StagesOption {
    @Option(
            names = "--stages",
            split = ",",
            paramLabel = "METHOD",
            description = {
                "Time every call of these methods: com.acme.Foo.bar,com.acme.Foo.baz. JFR does"
                        + " this on JDK 25, async-profiler on earlier JDKs. It instruments the"
                        + " methods in the JVM, so it has a window of its own after all others."
                        + " The instrumentation is removed afterwards."
            })
    private List<String> stages = List.of();

    /// The valid methods of the option.
    ///
    /// @param problems gets the methods that do not have the form `com.acme.Foo.bar`
    public List<MethodName> methods(Problems problems) {
        List<MethodName> methods = new ArrayList<>();
        for (String stage : stages) {
            OptionTexts.optional("--stages", stage, MethodName::parse, problems)
                    .ifPresent(methods::add);
        }
        return methods;
    }
}
