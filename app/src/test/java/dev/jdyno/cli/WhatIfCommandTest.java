package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class WhatIfCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        String[] all = new String[args.length + 1];
        all[0] = "whatif";
        System.arraycopy(args, 0, all, 1, args.length);
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), all);
    }

    private JsonNode json() {
        return JsonMapper.shared().readTree(out.toString());
    }

    @Test
    void cpuAndIoMatchTheDocumentedExample() {
        assertThat(run("--resource", "cpu=20/2", "--delay", "io=80", "--json")).isZero();

        assertThat(json().get("kneeConcurrency").asDouble()).isEqualTo(10);
        assertThat(json().get("maxQps").asDouble()).isEqualTo(100);
        assertThat(json().get("bottleneck").asString()).isEqualTo("cpu");
        assertThat(json().get("atConcurrency").isNull()).isTrue();
    }

    @Test
    void lockMatchesTheDocumentedExample() {
        run("--resource", "cpu=20/2", "--resource", "lock=50/1", "--delay", "io=80", "--json");

        assertThat(json().get("kneeConcurrency").asDouble()).isEqualTo(3);
        assertThat(json().get("maxQps").asDouble()).isEqualTo(20);
        assertThat(json().get("bottleneck").asString()).isEqualTo("lock");
    }

    @Test
    void parallelCallsMatchTheDocumentedExample() {
        run(
                "--resource",
                "cpu=25/4",
                "--delay",
                "a=50",
                "--delay",
                "b=25",
                "--delay",
                "c=100",
                "--parallel",
                "a,b,c",
                "--concurrency",
                "40",
                "--json");

        assertThat(json().get("kneeConcurrency").asDouble()).isEqualTo(20);
        assertThat(json().get("maxQps").asDouble()).isEqualTo(160);
        assertThat(json().get("rtMs").asDouble()).isEqualTo(125);
        assertThat(json().get("atConcurrency").get("n").asDouble()).isEqualTo(40);
        assertThat(json().get("atConcurrency").get("qps").asDouble()).isEqualTo(160);
        assertThat(json().get("atConcurrency").get("rtMs").asDouble()).isEqualTo(250);
    }

    /// Experiment E12, the second example of the knee formula (F1): the limits by layer differ.
    /// With lock 50, CPU 18 + 2 and I/O 80 ms, CPU would allow 15 threads, but the lock allows 3.
    @Test
    void printsBoundOfEachResource() {
        String[] e12 = {
            "--resource", "lock=50/1", "--resource", "cpu=18+2/2", "--delay", "io=80", "--json"
        };
        run(e12);

        JsonNode limits = json().get("limits");
        assertThat(limits.get(0).get("resource").asString()).isEqualTo("lock");
        assertThat(limits.get(0).get("kneeConcurrency").asDouble()).isEqualTo(3);
        assertThat(limits.get(0).get("maxQps").asDouble()).isEqualTo(20);
        assertThat(limits.get(1).get("resource").asString()).isEqualTo("cpu");
        assertThat(limits.get(1).get("kneeConcurrency").asDouble()).isEqualTo(15);
        assertThat(limits.get(1).get("maxQps").asDouble()).isEqualTo(100);
        assertThat(json().get("kneeConcurrency").asDouble()).isEqualTo(3);

        out.getBuffer().setLength(0);
        run(Arrays.copyOf(e12, e12.length - 1));
        assertThat(out.toString())
                .contains("lock        3 in flight, 20/s if lock alone limited")
                .contains("cpu         15 in flight, 100/s if cpu alone limited");
    }

    /// Experiment E13: 10 and 15 ms of CPU on 4 cores around calls of 50, 25 and 100 ms. N* is 32,
    /// and 20 with parallel calls. Both have 160/s; the response times are 200 and 125 ms.
    @Test
    void predictsSerialAndParallelCallsOfWorkedExample() {
        run(
                "--resource",
                "cpu=10+15/4",
                "--delay",
                "mall=50",
                "--delay",
                "product=25",
                "--delay",
                "goods=100",
                "parallel:mall,product,goods",
                "--json");

        assertThat(json().get("kneeConcurrency").asDouble()).isEqualTo(32);
        assertThat(json().get("maxQps").asDouble()).isEqualTo(160);
        assertThat(json().get("rtMs").asDouble()).isEqualTo(200);
        JsonNode parallel = json().get("changes").get(0);
        assertThat(parallel.get("kneeConcurrency").asDouble()).isEqualTo(20);
        assertThat(parallel.get("qps").asDouble()).isEqualTo(160);
    }

    /// Table of experiment E1. Its N* is the concurrency at saturation, QPS · RT (F3). Its CPU of
    /// 85 % follows from the utilisation law on 2 cores (87.5, 84.75 and 88 %).
    @ParameterizedTest
    @CsvSource({
        "10, 80, 175, 114, 20, 87.5",
        "5, 80, 339, 118, 40, 84.75",
        "10, 40, 176, 73, 13, 88"
    })
    void printsTableOfPublishedCases(
            String cpu, String io, String qps, String rtMs, String n, double cpuPct) {
        String[] words = {
            "--resource",
            "cpu=" + cpu + "/2",
            "--delay",
            "io=" + io,
            "--measured",
            qps + "/s," + rtMs + "ms"
        };
        run(words);
        assertThat(out.toString())
                .contains("measured    %s/s, RT %s ms: %s in flight".formatted(qps, rtMs, n));

        out.getBuffer().setLength(0);
        String[] asJson = Arrays.copyOf(words, words.length + 1);
        asJson[words.length] = "--json";
        run(asJson);
        JsonNode seen = json().get("measured");
        assertThat(Math.round(seen.get("inFlight").asDouble())).isEqualTo(Long.parseLong(n));
        assertThat(seen.get("utilisation").asDouble() * 100).isCloseTo(cpuPct, within(1e-9));
        assertThat(json().get("maxQps").asDouble()).isCloseTo(Integer.parseInt(qps), within(1e-9));
    }

    /// With the first case's 175/s, the model predicts the two other cases: published are 339 and
    /// 176/s.
    @Test
    void predictsOtherPublishedCasesFromMeasuredCase() {
        run(
                "--resource",
                "cpu=10/2",
                "--delay",
                "io=80",
                "--measured",
                "175/s,114ms",
                "cpu*0.5",
                "io*0.5",
                "--json");

        JsonNode changes = json().get("changes");
        assertThat(qps(changes, 0)).isCloseTo(339, withPercentage(4));
        assertThat(qps(changes, 1)).isCloseTo(176, withPercentage(1));
    }

    @Test
    void refusesThroughputAboveBoundOfDemands() {
        assertThat(run("--resource", "cpu=10/2", "--measured", "201/s")).isEqualTo(2);
        assertThat(err.toString()).contains("by F2 cpu lets 200/s through at most (2 / 10 ms)");

        assertThat(run("--resource", "cpu=10/2", "--measured", "many")).isEqualTo(2);
        assertThat(err.toString()).contains("write --measured 175/s,114ms");

        assertThat(run("a/result.json", "--measured", "175/s")).isEqualTo(2);
        assertThat(err.toString()).contains("a result knows what was measured");
    }

    @Test
    void throughputWithoutResponseTimeSetsOnlyTimes() {
        run("--resource", "cpu=10/2", "--measured", "160/s", "--json");

        assertThat(json().get("measured").get("inFlight").isNull()).isTrue();
        assertThat(json().get("maxQps").asDouble()).isEqualTo(160);
    }

    /// Experiment E1's three cases as changes to the first one. Half the CPU time doubles
    /// throughput. Half the wait leaves throughput and shortens the response time.
    @Test
    void predictsThreePublishedCasesAsChanges() {
        run(
                "--resource",
                "cpu=10/2",
                "--delay",
                "downstream:page=80",
                "cpu*0.5",
                "downstream*0.5",
                "--json");

        JsonNode changes = json().get("changes");
        assertThat(json().get("maxQps").asDouble()).isEqualTo(200);
        assertThat(changes.get(0).get("qps").asDouble()).isEqualTo(400);
        assertThat(changes.get(1).get("qps").asDouble()).isEqualTo(200);
        assertThat(changes.get(0).get("kneeConcurrency").asDouble()).isEqualTo(34);
        assertThat(changes.get(1).get("kneeConcurrency").asDouble()).isEqualTo(10);
    }

    @Test
    void everyKindOfChangeOfTheHelpIsAnswered() {
        int exit =
                run(
                        "--resource",
                        "cpu=20/2",
                        "--resource",
                        "lock:Page=15/1",
                        "--resource",
                        "gc=1/1",
                        "--delay",
                        "downstream:a=30",
                        "--delay",
                        "downstream:b=50",
                        "cpu*0.5",
                        "downstream:a*0.5",
                        "lock:Page*0.2",
                        "gc*0",
                        "cores=8",
                        "threads=4",
                        "parallel:downstream:a,downstream:b",
                        "--json");

        assertThat(exit).as(err.toString()).isZero();
        JsonNode changes = json().get("changes");
        // CPU allows 100/s, the lock 66.7/s. Only the lock's recommendation raises the limit, up to
        // that of the CPU.
        assertThat(qps(changes, 0)).isCloseTo(1000 / 15.0, within(1e-9));
        assertThat(qps(changes, 1)).isCloseTo(1000 / 15.0, within(1e-9));
        assertThat(qps(changes, 2)).isEqualTo(100);
        assertThat(qps(changes, 3)).isCloseTo(1000 / 15.0, within(1e-9));
        assertThat(qps(changes, 4)).isCloseTo(1000 / 15.0, within(1e-9));
        // with 4 requests inside at 116 ms each, throughput is at most 4 / 0.116
        assertThat(qps(changes, 5)).isBetween(25.0, 4 / 0.116);
        assertThat(changes.get(6).get("kneeConcurrency").asDouble())
                .isCloseTo((20 + 15 + 1 + 50) / 15.0, within(1e-9));
    }

    /// 3 connections, each held for 50 ms, allow 60/s.
    @Test
    void poolLimitsItsDownstreamCalls() {
        run("--resource", "cpu=20/2", "--delay", "downstream:b=50", "pool=3", "--json");

        assertThat(qps(json().get("changes"), 0)).isEqualTo(60);
    }

    /// With overlapping calls through a pool, the longest call holds its connection for 50 ms.
    @Test
    void aPoolAndParallelCallsGoTogetherInAnyOrder() {
        int exit =
                run(
                        "--resource",
                        "cpu=20/2",
                        "--delay",
                        "downstream:a=30",
                        "--delay",
                        "downstream:b=50",
                        "pool=3",
                        "parallel:downstream:a,downstream:b",
                        "--json");

        assertThat(exit).as(err.toString()).isZero();
        JsonNode together = json().get("changes").get(2);
        assertThat(together.get("qps").asDouble()).isEqualTo(60);
        assertThat(together.get("kneeConcurrency").asDouble()).isCloseTo(4.2, within(1e-9));
    }

    /// Runs name a lock by class, identity and place. One word of that name selects the lock.
    @Test
    void findsLockByWordOfItsName() {
        run(
                "--resource",
                "cpu=20/2",
                "--resource",
                "lock:com.acme.Books$Ledger@7f3a=50/1",
                "lock:Ledger*0.2",
                "--json");

        assertThat(qps(json().get("changes"), 0)).isEqualTo(100);
        assertThat(run("--resource", "lock:com.acme.Ledgers=5/1", "lock:Ledger*0.2")).isEqualTo(2);
    }

    private static double qps(JsonNode changes, int i) {
        return changes.get(i).get("qps").asDouble();
    }

    @Test
    void textNamesKneeLimitAndFormula() {
        run("--resource", "cpu=20/2", "--delay", "io=80");

        assertThat(out.toString())
                .contains("knee        10")
                .contains("100/s, limited by cpu")
                .contains("F1: N* =");
    }

    @Test
    void everyMistakeIsReportedAtOnce() {
        int exit =
                run(
                        "--resource",
                        "cpu=20",
                        "--resource",
                        "lock=0/1",
                        "--delay",
                        "io=80/2",
                        "--delay",
                        "a=5",
                        "--parallel",
                        "a,b",
                        "--concurrency",
                        "-3");

        assertThat(exit).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString())
                .contains("5 mistakes")
                .contains("--resource cpu=20: not NAME=MS/UNITS")
                .contains("--resource lock=0/1: 0 ms of a resource")
                .contains("--delay io=80/2: not NAME=MS")
                .contains("no delay is called 'b'")
                .contains("--concurrency -3: not a positive number");
    }

    @Test
    void refusesDuplicateName() {
        assertThat(run("--resource", "cpu=20/2", "--delay", "cpu=80")).isEqualTo(2);

        assertThat(err.toString()).contains("this name was given before");
    }

    @Test
    void modelWithoutAResourceIsRefused() {
        assertThat(run("--delay", "io=80")).isEqualTo(2);

        assertThat(err.toString()).contains("--resource: none given").contains("cpu=20/2");
    }

    @Test
    void predictsChangesSeparatelyAndTogether() {
        run(
                "--resource",
                "cpu=20/2",
                "--resource",
                "lock:Page=50/1",
                "--delay",
                "io=80",
                "lock*0.2",
                "cores=4",
                "--json");

        JsonNode changes = json().get("changes");
        assertThat(changes).hasSize(3);
        assertThat(changes.get(0).get("change").asString()).isEqualTo("lock*0.2");
        assertThat(changes.get(0).get("qps").asDouble()).isEqualTo(100);
        assertThat(changes.get(1).get("qps").asDouble()).isEqualTo(20);
        assertThat(changes.get(1).get("bottleneck").asString()).isEqualTo("lock:Page");
        assertThat(changes.get(2).get("change").asString()).isEqualTo("all together");
        assertThat(changes.get(2).get("qps").asDouble()).isEqualTo(100);
    }

    @Test
    void predictsParallelCallsAsAChange() {
        run(
                "--resource",
                "cpu=25/4",
                "--delay",
                "a=50",
                "--delay",
                "b=25",
                "--delay",
                "c=100",
                "parallel:a,b,c",
                "--json");

        assertThat(json().get("kneeConcurrency").asDouble()).isEqualTo(32);
        assertThat(json().get("changes").get(0).get("kneeConcurrency").asDouble()).isEqualTo(20);
    }

    @Test
    void plannedRateGivesTheNumberOfMachines() {
        run("--resource", "cpu=20/2", "--delay", "io=80", "--plan", "7000/s", "--json");

        JsonNode rows = json().get("plan").get("rows");
        assertThat(rows.get(1).get("headroomPct").asDouble()).isBetween(29.9, 30.1);
        assertThat(rows.get(1).get("machines").asInt()).isEqualTo(100);
        assertThat(rows.get(1).get("rtP99Ms").asDouble())
                .isGreaterThan(rows.get(1).get("rtMs").asDouble());
    }

    @Test
    void changesThatDoNotFitAreAllNamed() {
        int exit =
                run(
                        "--resource",
                        "cpu=20/2",
                        "lock*0.5",
                        "cpu=",
                        "parallel:a",
                        "threads=2.5",
                        "pool=3",
                        "cores=0",
                        "--plan",
                        "many");

        assertThat(exit).isEqualTo(2);
        assertThat(err.toString())
                .contains("7 mistakes")
                .contains("the service has no 'lock'")
                .contains("it has: cpu")
                .contains("cpu=: not a change")
                .contains("fewer than two calls")
                .contains("threads come whole")
                .contains("no call that a pool could stand before")
                .contains("cores=0: 0 of them")
                .contains("--plan many: not a positive rate");
    }

    @Test
    void aResultFileThatDoesNotExistIsNamed() {
        assertThat(run("nowhere/result.json", "cpu*0.5")).isEqualTo(2);

        assertThat(err.toString()).contains("cannot read nowhere/result.json");
    }

    @Test
    void aResultAndDemandsTogetherAreAMistake() {
        assertThat(run("nowhere/result.json", "--resource", "cpu=20/2")).isEqualTo(2);

        assertThat(err.toString()).contains("a result and demands on the command line");
    }

    @Test
    void warnsOfRefutedModel(@TempDir Path dir) throws IOException {
        String e1 = Files.readString(Path.of("../report/src/test/resources/report/result.json"));
        Path sound = Files.writeString(dir.resolve("sound.json"), e1);
        Path refuted =
                Files.writeString(
                        dir.resolve("refuted.json"),
                        e1.replace(
                                "\"whatIfUnclear\": null", "\"whatIfUnclear\": \"78/s for 39/s\""));

        assertThat(run(sound.toString(), "cpu*0.5")).isZero();
        assertThat(err.toString()).isEmpty();

        assertThat(run(refuted.toString(), "cpu*0.5")).isZero();
        assertThat(err.toString()).contains("not to be trusted: no what-if: 78/s for 39/s");
    }
}
