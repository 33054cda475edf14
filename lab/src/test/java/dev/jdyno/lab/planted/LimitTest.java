package dev.jdyno.lab.planted;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.lab.service.ListenOptions;
import dev.jdyno.lab.service.Running;
import dev.jdyno.lab.work.Burn;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The planted bottleneck limits the service. By the bottleneck law (F2), requests sent at once
/// take at least their holding time divided by the number of units. This is a lower bound, so that
/// a slow machine cannot fail the test.
@Tag("full") // measures how long requests take together
class LimitTest {
    private static final int ATTEMPTS = 20;
    private static final int REQUESTS = 24;

    private static final Burn BURN = Burn.calibrated();

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lock-over-io",
                "thread-pool-tomcat",
                "thread-pool-undertow",
                "connection-pool-http",
                "connection-pool-held",
                "database-saturated",
                "downstream-slots",
                "rate-limit-sleep",
                "event-loop-blocked",
                "event-loop-undertow"
            })
    void requestsTakeAtLeastTheTimeOfThePlantedLimit(String name) throws Exception {
        Vary vary = new Vary(name, 3);
        double millis = millisForAllAtOnce(name, vary);

        // the first request need not wait
        assertThat(millis).isGreaterThan((REQUESTS - 1) * millisOfOne(vary) * 0.9);
    }

    @Test
    void hasNoLimitIfOnlyLoadIsShort() throws Exception {
        Vary vary = new Vary("load-many-threads", 3);
        // a busy machine only adds time, so the shortest of several runs is nearest to the
        // service's own time
        double millis = millisForAllAtOnce("load-many-threads", vary);
        double enough = REQUESTS * millisOfOne(vary) / 2; // drawn by the start of the case
        for (int i = 1; i < ATTEMPTS && millis >= enough; i++) {
            millis = Math.min(millis, millisForAllAtOnce("load-many-threads", vary));
        }

        assertThat(millis).isLessThan(enough);
    }

    private double millisForAllAtOnce(String name, Vary vary) throws Exception {
        try (CaseSetup caseSetup = new CaseSetup(new ListenOptions(), vary, BURN);
                Running service = find(name).start(caseSetup)) {
            String url = "http://127.0.0.1:" + service.port() + "/";
            long before = System.nanoTime();
            List<CompletableFuture<Integer>> all =
                    Stream.generate(() -> ask(url)).limit(REQUESTS).toList();
            assertThat(all).extracting(CompletableFuture::join).containsOnly(200);
            return (System.nanoTime() - before) / 1e6;
        }
    }

    private CompletableFuture<Integer> ask(String url) {
        return client.sendAsync(
                        HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
                .thenApply(answer -> answer.statusCode());
    }

    private static Case find(String name) {
        return Catalogue.ALL.stream()
                .filter(planted -> planted.label().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /// Minimum interval in ms between two requests that the planted limit allows.
    private static double millisOfOne(Vary vary) {
        double units = drawn(vary, "threads|connections|slots|loops", 1);
        return drawn(vary, "callMs|heldMs|queryMs", 1000 / drawn(vary, "perSecond", 1000)) / units;
    }

    private static double drawn(Vary vary, String names, double unset) {
        return Pattern.compile(" (?:" + names + ")=(\\d+)")
                .matcher(vary.drawn())
                .results()
                .map(found -> Double.parseDouble(found.group(1)))
                .findFirst()
                .orElse(unset);
    }
}
