package dev.jdyno.target;

import dev.jdyno.measure.Unseen;
import dev.jdyno.measure.text.UserError;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Facts of a JVM: read over attach, or from its perf data if attach fails.
///
/// @param collector `G1`, `Parallel`, `Serial`, `ZGC`, `Shenandoah`, …
/// @param flags the arguments of its command line, unchanged
/// @param missing facts that could not be read, with the reason
public record JvmFacts(
        Optional<String> jvm,
        Optional<String> jdkVersion,
        Optional<String> collector,
        Optional<Long> heapMaxBytes,
        List<String> flags,
        List<Unseen> missing) {

    private static final String ATTACH = "attach";

    // OpenJDK 64-Bit Server VM version 25.0.3+9-LTS
    private static final Pattern VM_LINE = Pattern.compile("(?m)^(.*VM) version (\\S+)");
    // JDK 25.0.3
    private static final Pattern JDK_LINE = Pattern.compile("(?m)^JDK (\\S+)");
    // -XX:+UseG1GC
    private static final Pattern COLLECTOR = Pattern.compile("-XX:\\+Use(\\w+?)(?:Old)?GC\\b");
    private static final Pattern HEAP_MAX = Pattern.compile("-XX:MaxHeapSize=(\\d{1,18})\\b");
    // jvm_args: -Xmx64m -XX:+UseG1GC
    private static final Pattern ARGUMENTS = Pattern.compile("(?m)^jvm_args: (.*)$");

    public JvmFacts {
        flags = List.copyOf(flags);
        missing = List.copyOf(missing);
    }

    /// True if it answered over attach.
    public boolean attachable() {
        return missing.stream().noneMatch(m -> m.source().equals(ATTACH));
    }

    /// Reads the facts from the JVM.
    static JvmFacts ask(Jcmd jcmd, long pid) throws InterruptedException {
        try {
            return ofAnswers(
                    jcmd.run("VM.version"), jcmd.run("VM.flags"), jcmd.run("VM.command_line"));
        } catch (UserError noAttach) {
            try (PerfData perf = PerfData.of(pid)) {
                return ofPerfData(perf, noAttach.why());
            } catch (UserError noPerf) {
                return new JvmFacts(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        List.of(
                                new Unseen(ATTACH, noAttach.why()),
                                new Unseen("hsperfdata", noPerf.why())));
            }
        }
    }

    static JvmFacts ofAnswers(String version, String flags, String commandLine) {
        return new JvmFacts(
                first(VM_LINE, version, 1),
                first(JDK_LINE, version, 1).or(() -> first(VM_LINE, version, 2)),
                first(COLLECTOR, flags, 1).map(JvmFacts::collectorName),
                first(HEAP_MAX, flags, 1).map(Long::parseLong),
                first(ARGUMENTS, commandLine, 1).map(JvmFacts::words).orElse(List.of()),
                List.of());
    }

    static JvmFacts ofPerfData(PerfData perf, String whyNoAttach) {
        Optional<Long> heapMax =
                perf.value("sun.gc.generation.1.maxCapacity").isPresent()
                        ? Optional.of(
                                perf.value("sun.gc.generation.0.maxCapacity").orElse(0)
                                        + perf.value("sun.gc.generation.1.maxCapacity").orElse(0))
                        : Optional.empty();
        return new JvmFacts(
                perf.text("java.property.java.vm.name"),
                perf.text("java.property.java.version")
                        .or(() -> perf.text("java.property.java.vm.version")),
                perf.text("sun.gc.collector.0.name")
                        .or(() -> perf.text("sun.gc.collector.2.name"))
                        .map(name -> name.split(" ")[0])
                        .map(JvmFacts::collectorName),
                heapMax,
                Stream.of("java.rt.vmFlags", "java.rt.vmArgs")
                        .flatMap(key ->
                                perf.text(key).map(JvmFacts::words).orElse(List.of()).stream())
                        .toList(),
                List.of(new Unseen(ATTACH, whyNoAttach)));
    }

    private static String collectorName(String flag) {
        return switch (flag) {
            case "Z", "ZGC" -> "ZGC";
            case "ConcMarkSweep" -> "CMS";
            default -> flag;
        };
    }

    private static List<String> words(String line) {
        return line.isBlank() ? List.of() : List.of(line.trim().split("\\s+"));
    }

    private static Optional<String> first(Pattern pattern, String text, int group) {
        Matcher m = pattern.matcher(text);
        return m.find() ? Optional.of(m.group(group)) : Optional.empty();
    }
}
