import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// More programs like those of `Corpus.java`, written after its forecasts were made and used only
/// to check them: `java CorpusHeldOut expiry [SCALE]`. Live sets are about 20 to 80 MB.
final class CorpusHeldOut {
    private static final long SEED = 20_111_122L;
    private static long sink;

    private CorpusHeldOut() {}

    public static void main(String[] args) throws InterruptedException, ExecutionException {
        double scale = args.length > 1 ? Double.parseDouble(args[1]) : 1;
        switch (args[0]) {
            case "expiry" -> expiry(count(1_000_000, scale));
            case "pipeline" -> pipeline(count(13_000, scale));
            case "join" -> join(count(4, scale));
            case "ledger" -> ledger(count(2_500_000, scale));
            case "merge" -> merge(count(80, scale));
            case "tiles" -> tiles(count(9_000, scale));
            default -> throw new IllegalArgumentException("no program " + args[0]);
        }
        System.out.println(sink);
    }

    private static int count(int base, double scale) {
        return (int) Math.round(base * scale);
    }

    private record Fresh(String text, List<String> tags, int until) {}

    /// A cache whose entries are used until they expire and are then replaced; the least recently
    /// used are evicted. Some 50 MB live.
    private static void expiry(int operations) {
        var cache =
                new LinkedHashMap<Integer, Fresh>(16, 0.75f, true) {
                    @Override
                    protected boolean removeEldestEntry(Map.Entry<Integer, Fresh> eldest) {
                        return size() > 60_000;
                    }
                };
        var random = new Random(SEED);
        for (int i = 0; i < operations; i++) {
            int key = (int) (Math.pow(random.nextDouble(), 2) * 100_000);
            Fresh e = cache.get(key);
            if (e == null || e.until() < i) {
                List<String> tags = new ArrayList<>();
                for (int t = 0; t < 4; t++) {
                    tags.add("tag-" + random.nextInt(5000));
                }
                e =
                        new Fresh(
                                "value of " + key + ": " + "x".repeat(100 + random.nextInt(500)),
                                tags,
                                i + 100_000 + random.nextInt(200_000));
                cache.put(key, e);
            }
            sink +=
                    e.text().toUpperCase(java.util.Locale.ROOT).length()
                            + e.tags().toString().length();
        }
    }

    /// Four pool threads transform trees of maps into other trees and into text, and look up
    /// long-lived products: 30 MB live, and what four requests hold.
    private static void pipeline(int requests) throws InterruptedException, ExecutionException {
        var products = new HashMap<String, List<Object>>();
        for (int i = 0; i < 60_000; i++) {
            products.put("product-" + i, List.of("name of " + i, (double) i, new int[60]));
        }
        var pool = Executors.newFixedThreadPool(4);
        try {
            var pending = new ArrayDeque<Future<Integer>>();
            for (int i = 0; i < requests; i++) {
                int seed = i;
                pending.add(pool.submit(() -> answer(products, new Random(SEED + seed))));
                if (pending.size() > 16) {
                    sink += pending.remove().get();
                }
            }
            for (Future<Integer> f : pending) {
                sink += f.get();
            }
        } finally {
            pool.shutdown();
        }
    }

    private static int answer(Map<String, List<Object>> products, Random random) {
        Map<String, Object> order = new LinkedHashMap<>();
        order.put("customer", "customer " + random.nextInt(10_000));
        List<Object> lines = new ArrayList<>();
        int count = 20 + random.nextInt(200);
        for (int i = 0; i < count; i++) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("product", "product-" + random.nextInt(60_000));
            line.put("count", 1 + random.nextInt(9));
            line.put("note", Arrays.asList("as", "soon", "as " + i));
            lines.add(line);
        }
        order.put("lines", lines);
        var text = new StringBuilder();
        write(transformed(order, products), text);
        return text.toString().length();
    }

    private static Object transformed(Object node, Map<String, List<Object>> products) {
        if (node instanceof Map<?, ?> map) {
            Map<String, Object> other = new HashMap<>();
            map.forEach((k, v) -> other.put("_" + k, transformed(v, products)));
            return other;
        }
        if (node instanceof List<?> list) {
            return list.stream().map(n -> transformed(n, products)).toList();
        }
        return node instanceof String s && s.startsWith("product-")
                ? s + " " + products.get(s).get(0)
                : node;
    }

    private static void write(Object node, StringBuilder text) {
        if (node instanceof Map<?, ?> map) {
            text.append('{');
            map.forEach((k, v) -> {
                text.append('"').append(k).append("\":");
                write(v, text);
                text.append(',');
            });
            text.append('}');
        } else if (node instanceof List<?> list) {
            text.append('[');
            list.forEach(n -> {
                write(n, text);
                text.append(',');
            });
            text.append(']');
        } else {
            text.append('"').append(node).append('"');
        }
    }

    private record Row(long key, String name, long amount) {}

    /// In each part, a table of 40 MB is built and joined with a second one, of which one row
    /// exists at a time. The sums of matching rows stay.
    private static void join(int parts) {
        var sums = new HashMap<Long, long[]>();
        for (int p = 0; p < parts; p++) {
            var random = new Random(SEED + p);
            var left = new HashMap<Long, List<Row>>();
            for (int i = 0; i < 250_000; i++) {
                long key = random.nextInt(100_000);
                left.computeIfAbsent(key, k -> new ArrayList<>(2))
                        .add(new Row(key, "left " + i, i));
            }
            for (int i = 0; i < 1_000_000; i++) {
                var right = new Row(random.nextInt(200_000), "right " + i, i);
                for (Row l : left.getOrDefault(right.key(), List.of())) {
                    String both = l.name() + '/' + right.name();
                    sums.computeIfAbsent(right.key() % 20_000, k -> new long[4])[p % 4] +=
                            both.length() + l.amount();
                }
            }
        }
        sink += sums.size();
    }

    private record Event(int account, long amount, String text) {}

    private static final class Account {
        private List<Event> since = new ArrayList<>();
        private Map<String, Long> snapshot = Map.of();

        void add(Event e) {
            since.add(e);
            if (since.size() == 24) {
                var next = new HashMap<>(snapshot);
                for (Event old : since) {
                    next.merge("sum-" + old.amount() % 5, old.amount(), Long::sum);
                }
                snapshot = next;
                since = new ArrayList<>();
            }
        }

        long balance() {
            return snapshot.values().stream().mapToLong(v -> v).sum()
                    + since.stream().mapToLong(Event::amount).sum();
        }
    }

    /// Events of accounts, kept until two dozen of them are summed up in a snapshot: 40 MB live,
    /// most of it replaced every few hundred thousand events.
    private static void ledger(int events) {
        var accounts = new Account[25_000];
        Arrays.setAll(accounts, i -> new Account());
        var random = new Random(SEED);
        for (int i = 0; i < events; i++) {
            int at = Math.min(random.nextInt(accounts.length), random.nextInt(accounts.length));
            accounts[at].add(new Event(at, random.nextInt(1000), "event " + i + " of " + at));
            if (i % 4 == 0) {
                sink += accounts[random.nextInt(accounts.length)].balance();
            }
        }
    }

    private record Posting(String term, int[] documents) {}

    /// Terms of documents are sorted into small segments. Eight small segments are merged into a
    /// larger one, and eight of these into one that replaces the largest: 20 to 60 MB live.
    private static void merge(int batches) {
        var random = new Random(SEED);
        List<List<Posting>> small = new ArrayList<>();
        List<List<Posting>> middle = new ArrayList<>();
        List<Posting> large = List.of();
        for (int b = 0; b < batches; b++) {
            var terms = new HashMap<String, List<Integer>>();
            for (int i = 0; i < 20_000; i++) {
                String term = "term" + (int) (Math.pow(random.nextDouble(), 3) * 50_000);
                terms.computeIfAbsent(term, t -> new ArrayList<>()).add(b * 100 + i % 100);
            }
            List<Posting> segment = new ArrayList<>();
            terms.forEach(
                    (t, d) -> segment.add(new Posting(t, d.stream().mapToInt(x -> x).toArray())));
            segment.sort(Comparator.comparing(Posting::term));
            small.add(segment);
            if (small.size() == 8) {
                middle.add(merged(small, Integer.MAX_VALUE));
                small = new ArrayList<>();
            }
            if (middle.size() == 8) {
                middle.add(large);
                large = merged(middle, 200);
                middle = new ArrayList<>();
            }
        }
        sink += large.size() + small.size() + middle.size();
    }

    private static List<Posting> merged(List<List<Posting>> segments, int max) {
        var all = new ArrayList<Posting>();
        segments.forEach(all::addAll);
        all.sort(Comparator.comparing(Posting::term));
        var merged = new ArrayList<Posting>();
        for (Posting p : all) {
            Posting last = merged.isEmpty() ? null : merged.get(merged.size() - 1);
            if (last == null || !last.term().equals(p.term())) {
                merged.add(p);
                continue;
            }
            int length = Math.min(max, last.documents().length + p.documents().length);
            int[] both = Arrays.copyOf(last.documents(), length);
            int kept = Math.min(last.documents().length, length);
            System.arraycopy(p.documents(), 0, both, kept, length - kept);
            merged.set(merged.size() - 1, new Posting(p.term(), both));
        }
        return merged;
    }

    /// Images of up to 1.5 MB are cut into tiles of 4 to 48 KB, and the 1500 most recently used
    /// tiles stay: 40 MB live.
    private static void tiles(int images) {
        var random = new Random(SEED);
        var kept =
                new LinkedHashMap<Integer, int[]>(16, 0.75f, true) {
                    @Override
                    protected boolean removeEldestEntry(Map.Entry<Integer, int[]> eldest) {
                        return size() > 1500;
                    }
                };
        for (int i = 0; i < images; i++) {
            int side = 200 + random.nextInt(420);
            int[] image = new int[side * side];
            Arrays.fill(image, i);
            int step = 32 + random.nextInt(80);
            for (int at = 0; at + step * step <= image.length; at += step * step) {
                int[] tile = Arrays.copyOfRange(image, at, at + step * step);
                tile[0] = at;
                if (random.nextInt(4) == 0) {
                    kept.put(random.nextInt(4000), tile);
                }
            }
            int[] small = new int[image.length / 16];
            for (int p = 0; p < small.length; p++) {
                small[p] = image[p * 16];
            }
            int[] used = kept.get(random.nextInt(4000));
            sink += small.length + (used == null ? 0 : used[0]);
        }
    }
}
