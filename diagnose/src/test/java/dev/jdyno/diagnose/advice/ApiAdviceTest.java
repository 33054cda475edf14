package dev.jdyno.diagnose.advice;

import static dev.jdyno.measure.verdict.StandardChange.CPU;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.diagnose.evidence.Patient;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.InsightVariant;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Library;
import dev.jdyno.measure.thread.LogPart;
import dev.jdyno.measure.thread.LoggingCost;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.WhatIf;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// What stack frames, allocations and exceptions mean, and which code to write instead.
class ApiAdviceTest {
    static final String SERVES = "jakarta.servlet.http.HttpServlet.service";
    private static final LoggingCost CALLERS =
            new LoggingCost("/srv/logback.xml", LogPart.CALLER_DATA, "says", "no %C");
    static final String PAGE = "com.acme.Page.get";
    private static final Set<String> KNOWN = new HashSet<>();

    static {
        ApiAdvice.builtIn().forEach(e -> KNOWN.add(e.id()));
    }

    /// A line of `stacks.txt`.
    record Seen(String ids, String kind, List<String> what) {
        Set<String> all() {
            return Set.of(ids.split(" "));
        }
    }

    static Stream<Seen> stacks() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(
                        ApiAdviceTest.class.getResourceAsStream("/advice/stacks.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                            .lines()
                            .filter(line -> !line.isBlank() && !line.startsWith("#"))
                            .map(line -> line.split(" \\| "))
                            .map(p ->
                                    new Seen(
                                            p[0],
                                            p[1],
                                            p[1].equals("ALLOC")
                                                    ? List.of(p[2], p[3])
                                                    : List.of(p[2].split(" "))))
                            .toList()
                            .stream();
        }
    }

    /// @param samples of 100 that have this stack, outermost frame first, in threads of this name
    static Profile profile(Profile.Kind kind, long samples, String threads, List<String> stack) {
        List<Profile.Node> inner = List.of();
        for (String frame : stack.reversed()) {
            inner = List.of(new Profile.Node(frame, samples, inner));
        }
        var all = new Profile.Node("", 100, List.of(new Profile.Node(threads, 100, inner)));
        return new Profile(kind, "test", 20, 100, 0.01, 0, all);
    }

    static Patient with(Profile... profiles) {
        var patient = new Patient();
        patient.insight = new Insight(List.of(profiles), List.of(), List.of(), List.of());
        return patient;
    }

    static List<Recommendation> of(
            Profile.Kind kind, long samples, String threads, String... stack) {
        return with(profile(kind, samples, threads, Arrays.asList(stack)))
                .recommendations(Bottleneck.CPU);
    }

    private static Patient throwing(String type, double share, double perRequest) {
        var patient = new Patient();
        patient.evidence =
                Patient.half()
                        .busy(Cause.CPU, "java.lang.Throwable.fillInStackTrace in " + PAGE, 5);
        patient.insight =
                InsightVariant.exceptions(
                        new Insight.Thrown(20, type, PAGE, 90, share, 900, perRequest));
        return patient;
    }

    static Set<String> known(List<Recommendation> all) {
        var ids = new HashSet<String>();
        all.stream().map(Recommendation::id).filter(KNOWN::contains).forEach(ids::add);
        return ids;
    }

    /// Every stack is tested against every block. Only its own block may match.
    @ParameterizedTest
    @MethodSource("stacks")
    void matchesStackOnlyByItsOwnBlocks(Seen seen) {
        List<Recommendation> much = found(seen, 0.5);
        List<Recommendation> little = found(seen, 0.02);

        assertThat(known(much)).isEqualTo(seen.all());
        assertThat(known(little)).isEmpty();
        if (seen.what().contains(PAGE)) {
            assertThat(much)
                    .filteredOn(r -> seen.all().contains(r.id()))
                    .allSatisfy(r ->
                            assertThat(r.says().names())
                                    .extracting(Sentence.Name::name)
                                    .contains(PAGE));
        }
    }

    private static List<Recommendation> found(Seen seen, double share) {
        return switch (seen.kind()) {
            case "ALLOC" ->
                    AllocationAdviceTest.allocating(
                                    seen.what().getFirst(),
                                    share,
                                    Long.parseLong(seen.what().getLast()),
                                    50)
                            .recommendations(Bottleneck.CPU);
            case "THROWN" ->
                    throwing(seen.what().getFirst(), share, 3).recommendations(Bottleneck.CPU);
            default -> {
                List<String> stack = new ArrayList<>(seen.what());
                String threads = stack.removeFirst();
                stack.addFirst(SERVES);
                var patient = new Patient();
                patient.insight =
                        InsightVariant.profile(
                                profile(
                                        Profile.Kind.valueOf(seen.kind()),
                                        Math.round(share * 100),
                                        threads,
                                        stack),
                                new Library(
                                        "libraries",
                                        stack.stream()
                                                .filter(f -> !f.startsWith("com.acme."))
                                                .toList()));
                yield patient.recommendations(Bottleneck.CPU);
            }
        };
    }

    @Test
    void everyBlockHasAStack() throws IOException {
        var tested = new HashSet<String>();
        stacks().forEach(s -> tested.addAll(s.all()));

        assertThat(tested).isEqualTo(KNOWN);
        assertThat(KNOWN.size()).isGreaterThanOrEqualTo(80);
    }

    /// True for frames that this JDK lacks: of JDK 17, or inner classes that only begin with the
    /// name.
    private static boolean isOfThisJdk(String frame) {
        return Profile.isOfTheJdk(frame)
                && frame.chars().anyMatch(Character::isUpperCase)
                && Stream.of(
                                "javax.xml.bind.",
                                "javax.validation.",
                                "javax.persistence.",
                                "java.util.concurrent.CompletableFuture$",
                                "sun.security.provider.NativePRNG$")
                        .noneMatch(frame::startsWith);
    }

    static Stream<String> jdkFrames() {
        return ApiAdvice.builtIn().stream()
                .flatMap(e -> e.seen().stream())
                .filter(dev.jdyno.diagnose.advice.Seen.Stack.class::isInstance)
                .flatMap(s -> ((dev.jdyno.diagnose.advice.Seen.Stack) s).frames().stream())
                .filter(ApiAdviceTest::isOfThisJdk)
                .distinct();
    }

    /// A frame that no JDK contains would never match.
    @ParameterizedTest
    @MethodSource("jdkFrames")
    void findsFrameOfJdk(String frame) throws ClassNotFoundException {
        int dot = frame.lastIndexOf('.');
        String end = frame.substring(dot + 1);
        boolean whole = !end.isEmpty() && Character.isUpperCase(end.charAt(0));
        String method = whole ? "" : end;
        Class<?> type =
                Class.forName(
                        whole ? frame : frame.substring(0, dot),
                        false,
                        ClassLoader.getPlatformClassLoader());

        assertThat(
                        method.isEmpty()
                                || method.equals("<init>")
                                || Arrays.stream(type.getDeclaredMethods())
                                        .anyMatch(m -> m.getName().startsWith(method)))
                .isTrue();
    }

    @Test
    void removedCpuPartBoundsPrediction() {
        Recommendation found =
                one(
                        "pattern-keep",
                        of(Profile.Kind.CPU, 40, "exec", "java.util.regex.Pattern.compile"));

        assertThat(found.predictedQpsRatio().orElseThrow()).isCloseTo(1 / 0.6, within(1e-9));
        assertThat(found.atMost()).isTrue();
    }

    static Recommendation one(String id, List<Recommendation> all) {
        return all.stream().filter(r -> r.id().equals(id)).findFirst().orElseThrow();
    }

    /// If a downstream limits, less CPU time gives no more throughput.
    @ParameterizedTest
    @CsvSource({"DOWNSTREAM, false", "THREAD_POOL, false", "CPU, true", "GC_ALLOCATION, true"})
    void lessCpuGainsWhereTheCpuLimits(Bottleneck name, boolean gains) {
        Patient patient =
                with(
                        profile(
                                Profile.Kind.CPU,
                                40,
                                "exec",
                                List.of("java.util.regex.Pattern.compile")));

        assertThat(
                        one("pattern-keep", patient.recommendations(name))
                                .predictedQpsRatio()
                                .isPresent())
                .isEqualTo(gains);
    }

    /// In the model of the run, half the CPU time gives 10 % more throughput.
    @Test
    void gainOfLessCpuIsAtMostThatOfHalfTheCpu() {
        Patient patient =
                with(
                        profile(
                                Profile.Kind.CPU,
                                40,
                                "exec",
                                List.of("java.util.regex.Pattern.compile")));
        patient.knee =
                Optional.of(
                        new Knee(
                                20,
                                new Interval(19, 21),
                                100,
                                200,
                                "crossing",
                                60,
                                Optional.empty()));
        patient.whatIf = Map.of(CPU, new WhatIf(CPU, 110, 181, 20, "exact MVA"));

        assertThat(
                        one("pattern-keep", patient.recommendations(Bottleneck.CPU))
                                .predictedQpsRatio()
                                .orElseThrow())
                .isCloseTo(1.1, within(0.01));
    }

    /// A worker of another pool that runs such a task does not belong to the common pool.
    @Test
    void requiresAllFramesInOrder() {
        assertThat(
                        known(
                                of(
                                        Profile.Kind.WALL,
                                        90,
                                        "orders-worker-",
                                        "java.util.concurrent.ForkJoinWorkerThread.run",
                                        "java.util.concurrent.CompletableFuture$AsyncSupply.run")))
                .doesNotContain("async-executor");
    }

    /// The nearest outer frame that belongs neither to the JDK nor to a library and is not
    /// generated.
    @Test
    void skipsGeneratedFramesForApplicationFrame() {
        var patient = new Patient();
        patient.insight =
                InsightVariant.profile(
                        profile(
                                Profile.Kind.CPU,
                                40,
                                "http-nio-127.0.0.1-auto-1-exec",
                                List.of(
                                        SERVES,
                                        PAGE,
                                        "com.acme.Orders$$SpringCGLIB$$0.read",
                                        "org.acme.orm.Mapper.map",
                                        "java.lang.String.replaceAll",
                                        "java.util.regex.Pattern.compile")),
                        new Library("orm", List.of("org.acme.orm.Mapper.map")));

        assertThat(one("pattern-keep", patient.recommendations(Bottleneck.CPU)).says().names())
                .extracting(Sentence.Name::name)
                .containsExactly(PAGE, "java.util.regex.Pattern.compile");
    }

    /// @param below samples below the converter, of 100 samples with 75 in the log
    private static Patient logging(long below, LoggingCost... costs) {
        var format =
                new Profile.Node(
                        "ch.qos.logback.core.encoder.Encoder.encode", 75 - below, List.of());
        var caller =
                new Profile.Node(
                        "ch.qos.logback.classic.pattern.CallerDataConverter.convert",
                        below,
                        List.of());
        var log =
                new Profile.Node("ch.qos.logback.classic.Logger.info", 75, List.of(caller, format));
        var page = new Profile.Node(PAGE, 100, List.of(log));
        var root = new Profile.Node("", 100, List.of(new Profile.Node("exec", 100, List.of(page))));
        var patient = new Patient();
        patient.insight =
                InsightVariant.logging(
                        new Profile(Profile.Kind.CPU, "test", 20, 100, 0.01, 0, root), costs);
        patient.evidence =
                Patient.half()
                        .busy(Cause.LOGGING, "logback waiting for ReentrantLock in " + PAGE, 20);
        return patient;
    }

    /// The converter takes 0.7 of the CPU. Its removal from the pattern comes before fewer log
    /// lines.
    @Test
    void removesCallerDataBeforeOmittingLines() {
        assertThat(logging(70).recommendations(Bottleneck.LOGGING).getFirst())
                .satisfies(r -> {
                    assertThat(r.id()).isEqualTo("logging-caller-data");
                    assertThat(r.changes())
                            .singleElement()
                            .isInstanceOfSatisfying(
                                    Change.LoggingEdit.class,
                                    e -> assertThat(e.part()).isEqualTo("caller-data"));
                });
        assertThat(logging(10).recommendations(Bottleneck.LOGGING).getFirst().id())
                .as("a small part of the log")
                .isEqualTo("logging-less");
    }

    @Test
    void namesKnownFileOfPattern() {
        Patient patient = logging(70, CALLERS);

        assertThat(one("logging-caller-data", patient.recommendations(Bottleneck.CPU)).says())
                .startsWith("/srv/logback.xml: ");
        assertThat(patient.recommendations(Bottleneck.LOGGING))
                .filteredOn(r -> r.id().equals("logging-caller-data"))
                .as("the rule's own, which names the file, too")
                .hasSize(1);
    }

    /// A fifth of the log's CPU is below the converter, and half of the busy threads log. Without
    /// the converter, the log allows 1 / (1 - 0.2) times the requests. In bench/predict,
    /// `logging-queue`, half the lines gave 1.94 times the throughput, while the share predicted
    /// 1.61.
    @Test
    void gainOfLogPartIsLimitedByRestOfLog() {
        Patient patient = logging(15, CALLERS);

        assertThat(
                        one("logging-caller-data", patient.recommendations(Bottleneck.LOGGING))
                                .predictedQpsRatio()
                                .orElseThrow())
                .isCloseTo(1 / 0.8, within(0.01));
    }

    /// A request for a stack trace creates no exception.
    @Test
    void getStackTraceIsNotAnsweredWithFewerExceptions() {
        Patient patient =
                with(
                        profile(
                                Profile.Kind.CPU,
                                65,
                                "exec",
                                List.of(SERVES, PAGE, "java.lang.Throwable.getStackTrace")));
        patient.evidence =
                Patient.half().busy(Cause.CPU, "java.lang.Throwable.getStackTrace in " + PAGE, 13);

        assertThat(patient.recommendations(Bottleneck.CPU))
                .extracting(Recommendation::id)
                .startsWith("stack-trace-asked")
                .doesNotContain("exceptions-cheap")
                .as("a target for the place of the edit says nothing more")
                .doesNotContain("cpu-halve");
    }

    /// Thread dumps without a profile: the place of the busy threads has the same information.
    @Test
    void placeOfBusyThreadsIsAStack() {
        var patient = new Patient();
        patient.evidence =
                Patient.half()
                        .busy(Cause.CPU, "java.lang.Throwable.getStackTrace in " + PAGE, 6)
                        .busy(Cause.CPU, "com.acme.Page.sum", 4);

        Recommendation asked = one("stack-trace-asked", patient.recommendations(Bottleneck.CPU));

        assertThat(asked.predictedQpsRatio().orElseThrow()).isCloseTo(1 / 0.4, within(0.01));
        assertThat(asked.says().names()).extracting(Sentence.Name::name).contains(PAGE);
    }

    /// Half the CPU time is only a goal. A concrete edit comes first if it has a large part of the
    /// gain.
    @ParameterizedTest
    @CsvSource({"40, pattern-keep", "10, cpu-halve"})
    void editPrecedesGoalIfLargePartOfTime(long samples, String first) {
        assertThat(
                        of(
                                        Profile.Kind.CPU,
                                        samples,
                                        "exec",
                                        PAGE,
                                        "java.util.regex.Pattern.compile")
                                .getFirst()
                                .id())
                .isEqualTo(first);
    }

    @Test
    void fewExceptionsARequestAreNoChange() {
        assertThat(
                        known(
                                throwing("java.lang.NumberFormatException", 0.9, 0.01)
                                        .recommendations(Bottleneck.CPU)))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "id: a;seen: cpu 5 % a.B.c;do: this",
                "id: a;seen: gpu 5 % a.B.c;do: this;how: so",
                "id: a;seen: cpu 5 a.B.c d;do: this;how: so",
                "id: a;id: b;seen: cpu 5 % a.B.c;do: this;how: so",
                "id: a;seen: cpu 5 % a.B.c;do: this;how: so;why: so",
                "id: a;no key;seen: cpu 5 % a.B.c;do: this;how: so"
            })
    void aBlockThatIsNotCompleteIsRefused(String block) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Entry.parse(block.replace(';', '\n')));
    }
}
