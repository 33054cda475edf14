package dev.jdyno.compare;

import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.load.HttpUrl;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Drive;
import dev.jdyno.plan.Plan;
import dev.jdyno.trial.Service;
import dev.jdyno.trial.Side;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// One of two variants: the plan that starts it, and the additions to its launch command.
///
/// @param additions additions to the launch command
public record Variant(Plan plan, Additions additions) {
    private static final String SIZE = "([0-9]{1,19}[kKmMgGtT]?)(?=\\s|$)";
    private static final Pattern FIRST_HEAP =
            Pattern.compile("(?<=\\s)-(?:Xms|XX:InitialHeapSize=)" + SIZE);
    private static final Pattern MAX_HEAP =
            Pattern.compile("(?<=\\s)-(?:Xmx|XX:MaxHeapSize=)" + SIZE);

    /// Flags that can be checked by starting a JVM without a side effect: switches and sizes, but
    /// no files.
    private static final Pattern ASKABLE =
            Pattern.compile("-XX:(?:[+-]\\w+|\\w+=[0-9]{1,19}[kKmMgGtT]?)");

    private static final String IGNORE_UNKNOWN = "-XX:+IgnoreUnrecognizedVMOptions";

    /// @param flags JVM flags that are added to the launch command
    public Variant(Plan plan, List<String> flags) {
        this(plan, Additions.ofFlags(flags));
    }

    /// Returns the same variant with a time limit for its start, until it answers.
    public Variant startedWithin(Duration max) {
        return new Variant(plan.startedWithin(max), additions);
    }

    /// The launch command; empty if the service already runs.
    Optional<String> command() {
        return plan.target() instanceof Plan.TargetPlan.Launch(String command)
                ? Optional.of(command)
                : Optional.empty();
    }

    /// True if each start is a new process, started here or by an agent.
    boolean isStarted() {
        return plan.target().isStarted();
    }

    /// True if each start can use its own port. An agent gives each of its starts a port.
    boolean takesPort() {
        return (plan.target() instanceof Plan.TargetPlan.Observed && isStarted())
                || command().filter(c -> c.contains(Plan.PORT)).isPresent();
    }

    /// True if both variants can run at once, because they listen on different ports.
    boolean runsBeside(Variant other) {
        return (takesPort() && other.takesPort())
                || HttpUrl.port(plan.url()) != HttpUrl.port(other.plan.url());
    }

    /// A mistake in how two variants are loaded.
    public record Mistake(String what, String fix) {}

    /// Returns why the load tools of the plans cannot load this variant and the other one. Empty if
    /// they can, or if jdyno sends the load.
    public Optional<Mistake> driveMistakeBeside(Variant other) {
        Optional<Drive> own = plan.drive();
        Optional<Drive> others = other.plan.drive();
        if (own.isPresent() != others.isPresent()) {
            return Optional.of(
                    new Mistake(
                            "only " + (own.isPresent() ? "A" : "B") + " has a load tool",
                            "give --drive, which loads both, or drive: in both plans"));
        }
        boolean atOnce = runsBeside(other);
        if (atOnce && own.flatMap(Drive::through).isPresent()) {
            return Optional.of(
                    new Mistake(
                            "both variants run at once, and --through is one port for both",
                            "leave --through out, or give both services the same port"));
        }
        if (atOnce && own.equals(others) && own.filter(d -> !d.takesPort()).isPresent()) {
            return Optional.of(
                    new Mistake(
                            "both variants run at once, at different ports, and the tool's command"
                                    + " has no {port}",
                            Drive.WRITE_PORT));
        }
        return Stream.of(this, other)
                .filter(v -> v.takesPort())
                .filter(v -> v.plan.drive().filter(d -> !d.reachesAnyPort()).isPresent())
                .findFirst()
                .map(_ -> new Mistake(Drive.NO_PORT, Drive.WRITE_PORT));
    }

    /// Returns the plan of one start: with the additions, and with a free port if the command takes
    /// one. The load tool of the plan gets the same port.
    public Plan started() {
        Plan started = launched();
        return started.withDrive(started.drive().map(tool -> tool.at(HttpUrl.port(started.url()))));
    }

    private Plan launched() {
        Optional<String> command = command();
        if (command.isEmpty()) {
            return plan;
        }
        String with = additions.in(command.get());
        if (!takesPort()) {
            return plan.withTarget(new Plan.TargetPlan.Launch(with));
        }
        int port = freePort();
        return plan.withTarget(
                        new Plan.TargetPlan.Launch(with.replace(Plan.PORT, Integer.toString(port))))
                .withUrl(HttpUrl.at(plan.url(), port));
    }

    /// Returns the mistake in the heap sizes of the command and the added flags: an initial heap
    /// larger than the maximum, with which no JVM starts. Empty if they are valid.
    public Optional<String> heapMistake() {
        String command = command().map(additions::flagsOf).orElse("");
        Optional<String> first = last(FIRST_HEAP, command);
        Optional<String> max = last(MAX_HEAP, command);
        return first.isPresent()
                        && max.isPresent()
                        && bytes(first.get()).compareTo(bytes(max.get())) > 0
                ? Optional.of(
                        "its heap begins with "
                                + first.get()
                                + ", which is more than the "
                                + max.get()
                                + " that it may become: a JVM does not start with that")
                : Optional.empty();
    }

    /// Returns the size that applies. If two flags have the same meaning, a JVM uses the last one.
    private static Optional<String> last(Pattern flag, String command) {
        return flag.matcher(command).results().map(m -> m.group(1)).reduce((_, last) -> last);
    }

    private static BigInteger bytes(String size) {
        char unit = Character.toLowerCase(size.charAt(size.length() - 1));
        int shift = Math.max(0, 10 * ("kmgt".indexOf(unit) + 1));
        String digits = Character.isDigit(unit) ? size : size.substring(0, size.length() - 1);
        return new BigInteger(digits).shiftLeft(shift);
    }

    private static int freePort() {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException none) {
            throw UserError.target(
                            "no free port for " + Plan.PORT,
                            String.valueOf(none.getMessage()),
                            "end what holds the ports, or give fixed ones")
                    .causedBy(none);
        }
    }

    /// @throws UserError if the JVM of the variant did not get the flags
    public void requireFlags(TargetFacts facts) {
        List<String> lost = additions.flags().stream().filter(f -> !got(f, facts.flags())).toList();
        if (!lost.isEmpty()) {
            throw UserError.target(
                    "the launch command ignores the flags " + String.join(" ", lost),
                    "its JVM was started with " + String.join(" ", facts.flags()),
                    "give the whole command with --b 'java … ', or let the script pass"
                            + " $JDK_JAVA_OPTIONS on");
        }
    }

    /// Checks that the JVM knows the added flags, because it may start in spite of an unknown flag.
    ///
    /// @param java the command that runs the variant's JVM
    /// @throws UserError if the JVM ignores one of the flags
    void requireKnownFlags(Arm arm, TargetFacts facts, Path java, Service service)
            throws InterruptedException {
        if (additions.flags().isEmpty() || !facts.flags().contains(IGNORE_UNKNOWN)) {
            return;
        }
        List<String> strict =
                Stream.concat(
                                additions.flags().stream().filter(f -> !f.equals(IGNORE_UNKNOWN)),
                                Stream.of("-XX:-IgnoreUnrecognizedVMOptions"))
                        .toList();
        Optional<String> refusal = service.refusal(java, strict);
        if (refusal.isPresent()) {
            throw UserError.target(
                    "the JVM of " + arm + " ignores a flag that it does not know",
                    refusal.get(),
                    "leave that flag out: the command has " + IGNORE_UNKNOWN);
        }
    }

    /// Returns a note if the JVM ignores a flag of its command that it does not know. The command
    /// may be meant for several JDKs, so this is no error.
    ///
    /// @param java the command that runs the variant's JVM
    static Optional<Note> ignoredFlag(Arm arm, TargetFacts facts, Path java, Service service)
            throws InterruptedException {
        if (!facts.flags().contains(IGNORE_UNKNOWN)) {
            return Optional.empty();
        }
        List<String> strict =
                Stream.concat(
                                facts.flags().stream()
                                        .filter(f -> ASKABLE.matcher(f).matches())
                                        .filter(f -> !f.equals(IGNORE_UNKNOWN)),
                                Stream.of("-XX:-IgnoreUnrecognizedVMOptions"))
                        .toList();
        return service.refusal(java, strict).map(says -> new Note.FlagIgnored(arm, says));
    }

    /// Returns notes on a started variant: its load tool, and each class archive that the JVM did
    /// not map. A JVM ignores an archive that does not fit it.
    static List<Note> notes(Arm arm, Side side) throws InterruptedException {
        return Stream.<Note>concat(
                        side.driver().map(Note.Driven::new).stream(),
                        side.unmappedArchives().stream()
                                .map(file -> new Note.ArchiveUnused(arm, file)))
                .toList();
    }

    /// True if this flag is the last of its name. A JVM reports its flags as one line, so a flag
    /// with spaces appears as several words.
    private static boolean got(String flag, List<String> words) {
        List<String> wanted = List.of(flag.strip().split("\\s+"));
        String name = FlagName.of(wanted.getFirst());
        int last =
                IntStream.range(0, words.size())
                        .filter(i -> FlagName.of(words.get(i)).equals(name))
                        .reduce((_, later) -> later)
                        .orElse(words.size());
        int end = Math.min(words.size(), last + wanted.size());
        return words.subList(last, end).equals(wanted);
    }
}
