import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;

/// A second set of programs. It was written to check forecasts before the model was changed; now it
/// is one of the sets on which the model is chosen: `java CorpusFresh logins [SCALE]`. Live sets
/// are about 10 to 60 MB.
final class CorpusFresh {
    private static final long SEED = 20_261_122L;
    private static long sink;

    private CorpusFresh() {}

    public static void main(String[] args) throws InterruptedException {
        double scale = args.length > 1 ? Double.parseDouble(args[1]) : 1;
        switch (args[0]) {
            case "logins" -> logins(count(160_000, scale));
            case "waves" -> waves(count(15, scale));
            case "blocks" -> blocks(count(1_000_000, scale));
            case "routes" -> routes(count(900, scale));
            default -> throw new IllegalArgumentException("no program " + args[0]);
        }
        System.out.println(sink);
    }

    private static int count(int base, double scale) {
        return (int) Math.round(base * scale);
    }

    private static final class Login {
        private final Map<String, Object> basket = new HashMap<>();
        private final byte[] token = new byte[400];
        private int seen;
    }

    /// Three threads answer requests of users, some of whom come far more often than others. Each
    /// request reads, changes and writes a tree. A sweep removes logins whose users have not come
    /// for 60 000 requests: some 50 MB live.
    private static void logins(int requests) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 3; t++) {
            long seed = SEED + t;
            threads.add(new Thread(() -> serve(requests / 3, new Random(seed))));
        }
        for (Thread t : threads) {
            t.start();
        }
        for (Thread t : threads) {
            t.join();
        }
    }

    private static void serve(int requests, Random random) {
        var logins = new LinkedHashMap<Integer, Login>(16, 0.75f, true);
        long local = 0;
        for (int i = 0; i < requests; i++) {
            int user = (int) (Math.pow(random.nextDouble(), 4) * 200_000);
            Login login = logins.computeIfAbsent(user, u -> new Login());
            login.seen = i;
            Map<String, Object> body = tree(random, 3);
            var text = new StringBuilder();
            write(body, text);
            login.basket.put("item-" + random.nextInt(6), text.substring(0, Math.min(200, text.length())));
            local += text.length() + login.token.length + login.basket.size();
            if (i % 1000 == 0) {
                int now = i;
                logins.values().removeIf(l -> now - l.seen > 20_000);
            }
        }
        synchronized (CorpusFresh.class) {
            sink += local;
        }
    }

    private static Map<String, Object> tree(Random random, int depth) {
        Map<String, Object> node = new LinkedHashMap<>();
        int fields = 2 + random.nextInt(4);
        for (int i = 0; i < fields; i++) {
            node.put(
                    "field" + i,
                    depth == 0 ? (Object) ("v" + random.nextInt(100_000)) : tree(random, depth - 1));
        }
        return node;
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
        } else {
            text.append('"').append(node).append('"');
        }
    }

    private record Sale(String shop, int day, long cents, String note) {}

    private record Sum(long cents, int count, List<Sale> largest) {}

    /// Waves of 30 to 150 thousand records, each sorted in two ways and grouped. Only the results
    /// of the last four waves stay: little between waves, up to 40 MB within one.
    private static void waves(int waves) {
        var results = new ArrayDeque<Map<String, Sum>>();
        for (int w = 0; w < waves; w++) {
            var random = new Random(SEED + w);
            int many = 30_000 + random.nextInt(120_000);
            var sales = new ArrayList<Sale>();
            for (int i = 0; i < many; i++) {
                sales.add(new Sale("shop-" + random.nextInt(4000), random.nextInt(365),
                        random.nextInt(1_000_000), "sale " + i + " of wave " + w));
            }
            sales.sort(Comparator.comparing(Sale::shop).thenComparing(Sale::day));
            var byShop = new TreeMap<String, List<Sale>>();
            for (Sale s : sales) {
                byShop.computeIfAbsent(s.shop(), k -> new ArrayList<>()).add(s);
            }
            var sums = new HashMap<String, Sum>();
            byShop.forEach((shop, of) -> {
                of.sort(Comparator.comparingLong(Sale::cents).reversed());
                long total = of.stream().mapToLong(Sale::cents).sum();
                sums.put(shop, new Sum(total, of.size(), List.copyOf(of.subList(0, Math.min(3, of.size())))));
            });
            results.add(sums);
            if (results.size() > 4) {
                results.remove();
            }
            for (Sale s : sales) {
                sink += (s.note() + '@' + s.shop()).length();
            }
        }
        sink += results.size();
    }

    /// The most recently used blocks of a file, of 512 bytes to 128 KB, most of them small, 45 MB
    /// in total. A third of the reads scan the file from beginning to end.
    private static void blocks(int reads) {
        var kept = new LinkedHashMap<Long, byte[]>(16, 0.75f, true);
        var random = new Random(SEED);
        long bytes = 0;
        long scanned = 0;
        for (int i = 0; i < reads; i++) {
            long block =
                    i / 20_000 % 3 == 0
                            ? scanned++ % 200_000
                            : (long) (Math.pow(random.nextDouble(), 3) * 60_000);
            byte[] found = kept.get(block);
            if (found == null) {
                int length = (int) (512 / Math.pow(1 - new Random(block).nextDouble() * 0.996, 1));
                found = new byte[length];
                kept.put(block, found);
                bytes += length;
                var eldest = kept.entrySet().iterator();
                while (bytes > 45_000_000) {
                    bytes -= eldest.next().getValue().length;
                    eldest.remove();
                }
            }
            String line = "block " + block + " of " + found.length + " at " + i;
            sink += line.repeat(8).length() + Arrays.copyOf(found, Math.min(found.length, 4096)).length;
        }
    }

    private record Step(int node, int cost, Step before) {}

    /// Shortest paths through a graph of 15 MB, which stays. Each query has a queue and a table of
    /// visited nodes, whose sizes depend on the length of the path. The last 300 paths are kept.
    private static void routes(int queries) {
        int many = 120_000;
        var random = new Random(SEED);
        var next = new int[many][];
        for (int i = 0; i < many; i++) {
            next[i] = new int[2 + random.nextInt(6)];
            for (int k = 0; k < next[i].length; k++) {
                next[i][k] = (int) Math.floorMod(i + Math.round(random.nextGaussian() * 300), (long) many);
            }
        }
        var found = new ArrayDeque<Step>();
        for (int q = 0; q < queries; q++) {
            int from = random.nextInt(many);
            int to = Math.floorMod(from + (int) (random.nextGaussian() * 2500), many);
            var open = new PriorityQueue<>(Comparator.comparingInt(Step::cost));
            var best = new HashMap<Integer, Integer>();
            open.add(new Step(from, 0, null));
            while (!open.isEmpty()) {
                Step at = open.remove();
                if (at.node() == to) {
                    found.add(at);
                    break;
                }
                if (best.getOrDefault(at.node(), Integer.MAX_VALUE) <= at.cost()) {
                    continue;
                }
                best.put(at.node(), at.cost());
                for (int n : next[at.node()]) {
                    int cost = at.cost() + 20 + Math.abs(n - at.node()) % 97;
                    if (cost < best.getOrDefault(n, Integer.MAX_VALUE)) {
                        open.add(new Step(n, cost, at));
                    }
                }
            }
            if (found.size() > 300) {
                found.remove();
            }
            sink += best.size();
        }
        sink += found.size();
    }
}
