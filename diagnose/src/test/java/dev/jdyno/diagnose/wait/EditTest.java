package dev.jdyno.diagnose.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Patient;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.InsightVariant;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Recommendation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A recommendation names its place: the method, or the setting with its present value.
class EditTest {
    private static EvidenceFixture idle() {
        return EvidenceFixture.plateau().rounds(r -> r.cores(0.2));
    }

    private static List<String> names(Recommendation r) {
        return r.says().names().stream().map(n -> n.name()).toList();
    }

    /// Each connection of the pool is held for the query, so a larger pool comes after a faster
    /// query.
    @ParameterizedTest
    @ValueSource(strings = {"HikariCP", "DBCP", "Agroal"})
    void namesQueryOfFullPoolAndItsNewSize(String library) {
        var patient = new Patient();
        patient.evidence =
                idle().held(
                                Cause.POOL,
                                library + " in com.acme.Store.query",
                                16,
                                "probably database: H2 10.0.0.8:9092 in com.acme.Store.run")
                        .busy(Cause.DATABASE, "H2 10.0.0.8:9092", 4);
        List<Recommendation> all = patient.recommendations(Bottleneck.CONNECTION_POOL);

        assertThat(all).extracting(Recommendation::id).containsExactly("pool-query", "pool-double");
        assertThat(names(all.getFirst())).containsExactly("com.acme.Store.run");
        assertThat(all.getLast().says()).contains(library, "from 4 to 8");
        assertThat(all.getLast().how())
                .contains(PoolSettings.setBy(library, Optional.empty()).orElseThrow());
    }

    /// The advice names its place once, although the holder's place is the same.
    @ParameterizedTest
    @CsvSource({
        "POOL, HikariCP in com.acme.Store.query, CONNECTION_POOL, pool-no-sleep",
        "LOCK, com.acme.Ledger in com.acme.Ledger.post, LOCK, lock-call"
    })
    void adviceOnASleepingHolderNamesThePlaceOfTheSleep(
            Cause cause, String where, Bottleneck name, String id) {
        var patient = new Patient();
        patient.evidence =
                idle().held(cause, where, 16, "probably sleep: sleep in com.acme.Pause.take")
                        .busy(Cause.SLEEP, "sleep in com.acme.Pause.take", 4);

        assertThat(names(patient.recommendation(name, id)))
                .endsWith("com.acme.Pause.take")
                .doesNotHaveDuplicates();
    }

    /// The method to edit is the one that takes the connection, without a proxy around it. It comes
    /// before the method that works meanwhile, unless that is the same.
    @ParameterizedTest
    @CsvSource({
        "Carts.lines, Stock.reserve, Carts.lines",
        "Carts$$SpringCGLIB$$0.lines, Stock.reserve, Carts.lines",
        "Carts$$EnhancerBySpringCGLIB$$1f2e3d.lines, Stock.reserve, Carts.lines",
        "Carts_Subclass.lines, Stock.reserve, Carts.lines",
        "Main$$anon$1.run, Stock.reserve, Main$$anon$1.run",
        "Carts.lines, Carts.lines,",
        "Carts$$SpringCGLIB$$0.lines, Carts.lines,"
    })
    void namesTheMethodToEdit(String takes, String works, String edited) {
        List<String> expected =
                edited == null
                        ? List.of("com.acme." + works)
                        : List.of("com.acme." + edited, "com.acme." + works);
        Map<String, String> ids =
                Map.of(
                        "sleep: sleep",
                        "pool-no-sleep",
                        "downstream: stock:80",
                        "pool-call-outside");
        ids.forEach((does, id) -> {
            var patient = new Patient();
            patient.evidence =
                    idle().held(
                                    Cause.POOL,
                                    "HikariCP in com.acme." + takes,
                                    16,
                                    "probably " + does + " in com.acme." + works);

            assertThat(names(patient.recommendation(Bottleneck.CONNECTION_POOL, id)))
                    .as(does)
                    .isEqualTo(expected);
        });
    }

    /// One number for both settings would lower the larger one.
    @ParameterizedTest
    @CsvSource({
        "Apache-HttpClient-3, defaultMaxConnectionsPerHost, maxTotalConnections",
        "Apache-HttpClient-4, maxConnPerRoute, maxConnTotal",
        "Apache-HttpClient-5, maxConnPerRoute, maxConnTotal",
        "Jedis, maxTotal, maxIdle"
    })
    void onlyTheLimitThatIsReachedGetsTheNumber(String library, String name, String besides) {
        var patient = new Patient();
        patient.evidence =
                idle().held(
                                Cause.POOL,
                                library + " in com.acme.Shop.price",
                                14,
                                "probably downstream: 10.0.0.7:80 in com.acme.Shop.price")
                        .busy(Cause.DOWNSTREAM, "10.0.0.7:80", 6);
        Recommendation larger = patient.recommendation(Bottleneck.CONNECTION_POOL, "pool-double");

        assertThat(larger.settings())
                .singleElement()
                .satisfies(s -> {
                    assertThat(s.name()).endsWith(name);
                    assertThat(s.now()).contains("6");
                    assertThat(s.to()).isEqualTo(new Change.Amount.Exactly("12"));
                });
        assertThat(larger.how()).contains(besides, "at least as large");
    }

    @ParameterizedTest
    @CsvSource({
        "com.acme.Ledger in com.acme.Ledger.post, cpu: com.acme.Tax.walk, com.acme.Tax.walk",
        "java.util.HashMap in com.acme.Cache.get, cpu: com.acme.Json.write, com.acme.Json.write",
        "com.acme.Repo in com.acme.Repo.load, cpu: com.acme.Diff.of, com.acme.Diff.of"
    })
    void namesCallToMoveOutOfLock(String lock, String holder, String called) {
        var patient = new Patient();
        patient.evidence = idle().held(Cause.LOCK, lock, 18, holder);

        assertThat(names(patient.recommendation(Bottleneck.LOCK, "lock-shorter")))
                .containsExactly(lock.substring(lock.indexOf(" in ") + 4), called);
    }

    @ParameterizedTest
    @CsvSource({
        "SLEEP, sleep in com.acme.Partner.ask, from 100/s to 200/s",
        "POOL, Semaphore in com.acme.Partner.ask, from 5 to 10 at a time",
        "SLEEP, sleep in com.acme.Bucket.take, from 100/s to 200/s"
    })
    void raisesLimitFromCurrentValue(Cause cause, String where, String fromTo) {
        var patient = new Patient();
        patient.where = where;
        patient.evidence = idle().busy(cause, where, 15).busy(Cause.DOWNSTREAM, "10.0.0.7:80", 5);
        Recommendation limit = patient.recommendation(Bottleneck.RATE_LIMIT, "limit-double");

        assertThat(names(limit)).containsExactly(where.substring(where.indexOf("com.")));
        assertThat(limit.says()).contains(fromTo);
    }

    /// Workers of `pool-2` wait in one method, the request threads in another method.
    @Test
    void namesMethodInWhichPoolWaitsForItself() {
        var patient = new Patient();
        patient.where = "pool-2";
        patient.lines = List.of(Patient.figure("waits-for-itself", 4.1));
        patient.evidence =
                idle().pool(
                                new ThreadSamples.Pool(
                                        "pool-2",
                                        7,
                                        7,
                                        0,
                                        0,
                                        false,
                                        false,
                                        0.1,
                                        Map.of(Cause.FUTURE, 4.1, Cause.DOWNSTREAM, 2.9)))
                        .busy(Cause.FUTURE, "result of another task in com.acme.Page.get", 20)
                        .busy(Cause.FUTURE, "result of another task in com.acme.Offers.part", 4.1)
                        .busy(Cause.DOWNSTREAM, "10.0.0.7:80", 2.9);

        assertThat(names(patient.recommendation(Bottleneck.POOL_STARVATION, "executor-own")))
                .containsExactly("com.acme.Offers.part");
    }

    private static Patient logging(String type, String site, double perRequest) {
        var patient = new Patient();
        patient.evidence =
                idle().busy(Cause.LOGGING, "logback formatting in com.acme.Basket.add", 18);
        patient.insight =
                InsightVariant.exceptions(
                        new Insight.Thrown(
                                EvidenceFixture.CONCURRENCY,
                                type,
                                site,
                                900,
                                1,
                                100 * perRequest,
                                perRequest));
        return patient;
    }

    /// logback 1.2 and 1.5 call the converter from different methods.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ch.qos.logback.classic.Logger.info in com.acme.Basket.add",
                "ch.qos.logback.classic.spi.LoggingEvent.getCallerData in com.acme.Basket.add",
                "ch.qos.logback.classic.Logger.warn in com.acme.Basket.add"
            })
    void throwablesOfLogbackAreCallerData(String site) {
        List<Recommendation> all =
                logging("java.lang.Throwable", site, 86).recommendations(Bottleneck.LOGGING);

        assertThat(all.getFirst().id()).isEqualTo("logging-caller-data");
        assertThat(names(all.getFirst())).contains("com.acme.Basket.add");
    }

    @Test
    void otherExceptionsAreNoCallerData() {
        String logger = "ch.qos.logback.classic.Logger.info in com.acme.Basket.add";

        assertThat(logging("java.io.IOException", logger, 86).recommendations(Bottleneck.LOGGING))
                .extracting(Recommendation::id)
                .doesNotContain("logging-caller-data");
        assertThat(
                        logging("java.lang.Throwable", "com.acme.Basket.add", 86)
                                .recommendations(Bottleneck.LOGGING))
                .extracting(Recommendation::id)
                .doesNotContain("logging-caller-data");
    }

    /// For fewer lines of a known method, the place is part of the advice.
    @Test
    void adviceOnFewerLogLinesNamesTheMethodThatLogs() {
        var patient = new Patient();
        patient.evidence =
                idle().busy(Cause.LOGGING, "logback formatting in com.acme.Basket.add", 18);

        assertThat(names(patient.recommendation(Bottleneck.LOGGING, "logging-less")))
                .containsExactly("com.acme.Basket.add");
    }
}
