package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.CannotStart;
import dev.jdyno.lab.service.ListenOptions;
import dev.jdyno.lab.service.Running;
import dev.jdyno.lab.service.Services;
import dev.jdyno.lab.work.Burn;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// A service with one planted bottleneck, chosen by name.
@Command(
        name = "planted",
        mixinStandardHelpOptions = true,
        description = {
            "A service with one planted bottleneck; its only path is /.",
            "The planted bottleneck is printed to standard error."
        })
public final class Planted implements Callable<Integer> {
    @Mixin private ListenOptions listen = new ListenOptions();

    @ArgGroup(multiplicity = "1")
    private What what = new What();

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "Draws the parameters. (default: ${DEFAULT-VALUE})")
    private long seed;

    @Option(
            names = "--lift",
            paramLabel = "NAME=FACTOR",
            description = {
                "Multiplies one parameter that is drawn from the seed; all others stay the same."
                        + " With a suitable factor, the bottleneck is weaker or gone."
                        + " The parameters of a case are printed when it starts."
            })
    private Map<String, Double> lifts = new LinkedHashMap<>();

    private static final class What {
        @Option(names = "--case", paramLabel = "NAME", description = "The case to plant.")
        private String name = "";

        @SuppressWarnings("UnusedVariable") // what is listed without a name
        @Option(names = "--list", description = "Print the cases, one JSON object a line, and end.")
        private boolean list;

        @Option(
                names = "--list-pairs",
                description = "Print the services with two limits of nearly the same height.")
        private boolean pairs;

        @Option(
                names = "--list-healthy",
                description = {
                    "Print the services without a limit near their load;",
                    "concurrency is the rate of their load, in requests/s."
                })
        private boolean healthy;
    }

    public static void main(String... args) {
        Services.main(new Planted(), args);
    }

    @Override
    public Integer call() throws Exception {
        if (what.name.isEmpty()) {
            List<Case> listed = what.pairs ? Pair.ALL : what.healthy ? Healthy.ALL : Catalogue.ALL;
            listed.forEach(planted -> System.out.println(planted.label().json()));
            return 0;
        }
        Case planted = find(what.name);
        Label label = planted.label();
        requireJdk(label, Runtime.version().feature());
        requireFactors();
        Vary vary = new Vary(label.name(), seed, lifts);
        try (CaseSetup caseSetup = new CaseSetup(listen, vary, Burn.calibrated());
                Running service = planted.start(caseSetup)) {
            closeOnTerm(caseSetup);
            requireUsed(vary);
            System.err.printf(
                    Locale.ROOT,
                    "planted %s: %s; shows at %d connections;%s%n",
                    label.name(),
                    label.note(),
                    label.concurrency(),
                    vary.drawn());
            Services.listening(listen, service.port());
            service.await();
        }
        return 0;
    }

    private void requireFactors() {
        lifts.forEach((name, factor) -> {
            if (!(factor > 0) || factor.isInfinite()) {
                throw new CannotStart(
                        "--lift %s=%s is no factor".formatted(name, factor),
                        "a parameter is multiplied by it",
                        "a number above 0");
            }
        });
    }

    private static void requireUsed(Vary vary) {
        if (!vary.unused().isEmpty()) {
            throw new CannotStart(
                    "no parameter named " + String.join(", ", vary.unused()),
                    "this case draws" + vary.drawn(),
                    "one of these names");
        }
    }

    private static Case find(String name) {
        List<Case> all =
                Stream.of(Catalogue.ALL, Pair.ALL, Healthy.ALL).flatMap(List::stream).toList();
        return all.stream()
                .filter(planted -> planted.label().name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new CannotStart(
                                "no case named " + name,
                                "the names are those of --list",
                                "one of "
                                        + String.join(
                                                ", ",
                                                all.stream().map(c -> c.label().name()).toList())));
    }

    private static void requireJdk(Label label, int running) {
        if (running < label.jdkMin() || running > label.jdkMax()) {
            throw new CannotStart(
                    "%s does not show on JDK %d".formatted(label.name(), running),
                    label.note(),
                    "start it on JDK %d or later%s"
                            .formatted(
                                    label.jdkMin(),
                                    label.jdkMax() > 99 ? "" : ", up to " + label.jdkMax()));
        }
    }

    /// Closes everything that a case started, even if a signal ends the process.
    private static void closeOnTerm(CaseSetup caseSetup) {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> closeQuietly(caseSetup), "clear-ground"));
    }

    private static void closeQuietly(CaseSetup caseSetup) {
        try {
            caseSetup.close();
        } catch (IOException e) {
            System.err.println("left behind: " + e);
        }
    }
}
