package dev.jdyno.report.stacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.jdyno.measure.Insight;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.observe.profiler.CollapsedStacks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class StackFormTest {
    private static final RunResult.About RUN =
            new RunResult.About(
                    "1.2.3", "jdyno run", Instant.parse("2026-11-27T16:39:00Z"), 60, "shop");

    private static final Profile.Node BENIGN =
            node(
                    "all",
                    100,
                    node(
                            "http-nio-exec",
                            90,
                            node(
                                    "java.lang.Thread.run",
                                    90,
                                    node(
                                            "com.acme.Page.get",
                                            70,
                                            node("com.acme.Page$$Lambda.0x0123.apply", 30),
                                            node("__memmove_avx_unaligned_erms", 25)),
                                    node("java.util.HashMap.<init>", 5))),
                    node("GC Thread", 10));

    private static Profile.Node node(String frame, long samples, Profile.Node... children) {
        return new Profile.Node(frame, samples, List.of(children));
    }

    private static Profile profile(Profile.Kind kind, int concurrency, Profile.Node root) {
        return new Profile(kind, "async-profiler", concurrency, 200, 0.01, 0, root);
    }

    private static Profile cpu(Profile.Node root) {
        return profile(Profile.Kind.CPU, 20, root);
    }

    private static String collapsed(Profile profile) throws IOException {
        return new String(
                StackForm.COLLAPSED.content(RUN, List.of(profile)), StandardCharsets.UTF_8);
    }

    private static PprofFile pprof(Profile profile) throws IOException {
        return PprofFile.read(StackForm.PPROF.content(RUN, List.of(profile)));
    }

    private static JsonNode speedscope(Profile... profiles) throws IOException {
        return JsonMapper.shared().readTree(StackForm.SPEEDSCOPE.content(RUN, List.of(profiles)));
    }

    private static Map<List<String>, Long> stacks(JsonNode file, int profile) {
        JsonNode sampled = file.get("profiles").get(profile);
        assertThat(sampled.get("weights").size()).isEqualTo(sampled.get("samples").size());
        Map<List<String>, Long> stacks = new HashMap<>();
        for (int i = 0; i < sampled.get("samples").size(); i++) {
            List<String> frames =
                    sampled.get("samples").get(i).values().stream()
                            .map(at ->
                                    file.at("/shared/frames")
                                            .get(at.intValue())
                                            .get("name")
                                            .stringValue())
                            .toList();
            stacks.merge(frames, sampled.get("weights").get(i).longValue(), Long::sum);
        }
        return stacks;
    }

    private static long sum(Map<?, Long> weights) {
        return weights.values().stream().mapToLong(Long::longValue).sum();
    }

    @Test
    void collapsedStacksAreReadBackAsTheSameTree() throws IOException {
        Profile read =
                CollapsedStacks.tree(collapsed(cpu(BENIGN)), Optional.empty())
                        .profile(Profile.Kind.CPU, "async-profiler", 0.01);

        assertThat(read.root()).isEqualTo(BENIGN);
    }

    @Test
    void javaFramesHaveTheFormOfAsyncProfiler() throws IOException {
        assertThat(collapsed(cpu(BENIGN)).lines())
                .containsExactly(
                        "[http-nio-exec];java/lang/Thread.run 15",
                        "[http-nio-exec];java/lang/Thread.run;com/acme/Page.get 15",
                        "[http-nio-exec];java/lang/Thread.run;com/acme/Page.get;com/acme/Page$$Lambda/0x0123.apply 30",
                        "[http-nio-exec];java/lang/Thread.run;com/acme/Page.get;__memmove_avx_unaligned_erms 25",
                        "[http-nio-exec];java/lang/Thread.run;java/util/HashMap.<init> 5",
                        "[GC Thread] 10");
    }

    @Test
    void everyFormHasTheSameStacksAndWeights() throws IOException {
        Map<List<String>, Long> ofPprof = pprof(cpu(BENIGN)).stacks();
        Map<List<String>, Long> ofSpeedscope = stacks(speedscope(cpu(BENIGN)), 0);

        assertThat(ofPprof)
                .contains(
                        entry(
                                List.of(
                                        "[http-nio-exec]",
                                        "java.lang.Thread.run",
                                        "com.acme.Page.get"),
                                15L));
        assertThat(ofSpeedscope).isEqualTo(ofPprof);
        assertThat(sum(ofPprof)).isEqualTo(100);
        assertThat(collapsed(cpu(BENIGN)).lines()).hasSameSizeAs(ofPprof.keySet());
    }

    @Test
    void pprofHasSamplesAndTheTimeOfARequest() throws IOException {
        PprofFile file = pprof(cpu(BENIGN));

        assertThat(file.types()).containsExactly("samples/count", "cpu_per_request/nanoseconds");
        assertThat(file.defaultType()).isEqualTo("samples");
        // 100 samples of 0.01 cores each at 200 requests a second are 5 ms of CPU a request
        assertThat(file.sumOfSecondValues()).isEqualTo(5_000_000);
        assertThat(file.timeNanos()).isEqualTo(RUN.startedAt().toEpochMilli() * 1_000_000);
        assertThat(file.comments()).contains("cpu, 20 in flight, async-profiler");
    }

    @Test
    void pprofHasSamplesAloneIfTheThroughputIsUnknown() throws IOException {
        var uncounted = new Profile(Profile.Kind.WALL, "dumps", 0, 0, 1, 0, BENIGN);

        assertThat(pprof(uncounted).types()).containsExactly("samples/count");
        assertThat(sum(pprof(uncounted).stacks())).isEqualTo(100);
    }

    @Test
    void speedscopeHoldsSeveralProfilesOfItsSchema() throws IOException {
        JsonNode file =
                speedscope(
                        profile(Profile.Kind.CPU, 40, BENIGN),
                        profile(Profile.Kind.WALL, 20, node("all", 3, node("exec", 3))));

        assertThat(file.get("$schema").stringValue())
                .isEqualTo("https://www.speedscope.app/file-format-schema.json");
        assertThat(file.get("profiles").size()).isEqualTo(2);
        for (JsonNode sampled : file.get("profiles")) {
            assertThat(sampled.propertyNames())
                    .containsExactlyInAnyOrder(
                            "type", "name", "unit", "startValue", "endValue", "samples", "weights");
            assertThat(sampled.get("type").stringValue()).isEqualTo("sampled");
            assertThat(sampled.get("unit").stringValue()).isEqualTo("none");
        }
        assertThat(file.at("/profiles/0/endValue").longValue()).isEqualTo(100);
        assertThat(stacks(file, 1)).containsExactly(entry(List.of("[exec]"), 3L));
    }

    @Test
    void hostileNamesStayInTheirFrame() throws IOException {
        Profile hostile =
                cpu(
                        node(
                                "all",
                                20,
                                node(
                                        "a;b\nc 7",
                                        20,
                                        node("com.acme.A;B.get 12\r\n[x];y", 6),
                                        node("\u001b[31m\u202eevil\ud800", 5),
                                        node("", 4),
                                        node("\"}],\"weights\":[1]", 3),
                                        node("[other]", 2))));

        List<String> lines = collapsed(hostile).lines().toList();

        assertThat(lines)
                .containsExactly(
                        "[a:b\ufffdc 7];com.acme.A:B.get 12\ufffd\ufffd[x]:y 6",
                        "[a:b\ufffdc 7];\ufffd[31m\ufffdevil\ufffd 5",
                        "[a:b\ufffdc 7];[unknown] 4",
                        "[a:b\ufffdc 7];\"}],\"weights\":[1] 3",
                        "[a:b\ufffdc 7];[other] 2");
        assertThat(stacks(speedscope(hostile), 0)).isEqualTo(pprof(hostile).stacks());
        assertThat(sum(pprof(hostile).stacks())).isEqualTo(20);
    }

    @Test
    void samplesWithoutAPoolOrAFrameAreKept() throws IOException {
        Profile pruned = cpu(node("all", 10, node("[lost samples]", 3), node("exec", 4)));

        assertThat(collapsed(pruned).lines())
                .containsExactly("[other pools] 3", "[lost samples] 3", "[exec] 4");
    }

    @ParameterizedTest
    @EnumSource(StackForm.class)
    void aProfileWithoutSamplesIsAFileWithoutStacks(StackForm form) throws IOException {
        Profile empty = cpu(node("all", 0));
        byte[] content = form.content(RUN, List.of(empty));

        Map<List<String>, Long> stacks =
                switch (form) {
                    case COLLAPSED -> Map.of(List.of(), (long) content.length);
                    case PPROF -> PprofFile.read(content).stacks();
                    case SPEEDSCOPE -> stacks(JsonMapper.shared().readTree(content), 0);
                };
        assertThat(sum(stacks)).isZero();
    }

    @ParameterizedTest
    @EnumSource(StackForm.class)
    void aDamagedProfileIsRefused(StackForm form) {
        Profile fewer = cpu(node("all", 1, node("exec", 2)));
        Profile negative = cpu(node("all", 0, node("exec", -1)));
        Profile huge =
                cpu(
                        node(
                                "all",
                                Long.MIN_VALUE,
                                node("exec", Long.MAX_VALUE),
                                node("other", Long.MAX_VALUE)));

        for (Profile damaged : List.of(fewer, negative)) {
            assertThatThrownBy(() -> form.content(RUN, List.of(damaged)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> form.content(RUN, List.of(huge)))
                .isInstanceOf(ArithmeticException.class);
    }

    @Test
    void speedscopeHasAllProfilesAndOtherFormsTheCpuProfileAtTheHighestLoad() {
        Profile wall = profile(Profile.Kind.WALL, 80, BENIGN);
        Profile low = profile(Profile.Kind.CPU, 5, BENIGN);
        Profile high = profile(Profile.Kind.CPU, 40, BENIGN);
        Insight insight = Insight.NONE.withProfiles(List.of(wall, low, high));

        assertThat(StackForm.PPROF.chosen(insight, Optional.empty(), OptionalInt.empty()))
                .containsExactly(high);
        assertThat(StackForm.SPEEDSCOPE.chosen(insight, Optional.empty(), OptionalInt.empty()))
                .containsExactly(high, low, wall);
        assertThat(
                        StackForm.COLLAPSED.chosen(
                                insight, Optional.of(Profile.Kind.WALL), OptionalInt.empty()))
                .containsExactly(wall);
        assertThat(StackForm.COLLAPSED.chosen(insight, Optional.empty(), OptionalInt.of(5)))
                .containsExactly(low);
        assertThat(StackForm.COLLAPSED.chosen(insight, Optional.empty(), OptionalInt.of(6)))
                .isEmpty();
        assertThatThrownBy(() -> StackForm.PPROF.content(RUN, List.of(low, high)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
