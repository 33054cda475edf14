package dev.jdyno.lab.perf;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.jdyno.lab.service.Page;
import dev.jdyno.lab.service.Query;
import dev.jdyno.lab.work.Burn;
import dev.jdyno.lab.work.DownstreamClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// `/search?q=1[&parallel=true][&cache=true][&template=false]`: a search page (E8). It analyses the
/// query, calls three services sequentially or in parallel, and renders a template.
///
/// `analyse=10` and `render=15` are milliseconds of CPU time; `mall=75`, `product=25` and
/// `goods=75` are milliseconds until the downstream answers. With `cache`, the goods of a query are
/// cached for ten seconds.
final class SearchPage implements Page {
    private static final Duration KEPT = Duration.ofSeconds(10);
    private static final int MAX_KEPT = 10_000;

    private final Calls calls = new Calls();
    private final Cache<Long, Double> goodsOf =
            Caffeine.newBuilder().expireAfterWrite(KEPT).maximumSize(MAX_KEPT).build();
    private final Burn burn;
    private final DownstreamClient downstream;

    SearchPage(Burn burn, DownstreamClient downstream) {
        this.burn = burn;
        this.downstream = downstream;
    }

    @Override
    public String answer(Query query) throws IOException, InterruptedException {
        long q = query.id("q");
        double mall = query.millis("mall", 75);
        double product = query.millis("product", 25);
        double goods = query.millis("goods", 75);
        boolean cached = query.flag("cache");
        boolean template = query.flag("template", true);

        burn.millis(query.millis("analyse", 10));
        List<Calls.Call> all = new ArrayList<>();
        all.add(() -> downstream.await(mall));
        all.add(() -> downstream.await(product));
        if (!cached) {
            all.add(() -> downstream.await(goods));
        } else if (goodsOf.getIfPresent(q) == null) {
            all.add(() -> fetch(q, goods));
        }
        calls.await(all, query.flag("parallel"));
        if (template) {
            burn.millis(query.millis("render", 15));
        }
        return "calls=" + all.size() + " template=" + template + "\n";
    }

    /// Fetches a missing entry with one call, even if several requests miss the cache at once.
    private void fetch(long q, double millis) throws IOException {
        try {
            Double unused =
                    goodsOf.get(
                            q,
                            key -> {
                                try {
                                    downstream.await(millis);
                                    return millis;
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
