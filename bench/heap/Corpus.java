import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.stream.Collectors;

/// Small allocating programs with known live sets and lifetimes. Each does a fixed amount of work,
/// so that runs on heaps of different sizes do the same: `java Corpus trees [SCALE]`. Live sets are
/// about 1 to 60 MB; at scale 1 a run takes about two seconds.
final class Corpus {
    private static final long SEED = 20_110_401L;
    private static long sink;

    private Corpus() {}

    public static void main(String[] args) throws InterruptedException {
        double scale = args.length > 1 ? Double.parseDouble(args[1]) : 1;
        switch (args[0]) {
            case "trees" -> trees(count(130, scale));
            case "cache" -> cache(count(2_600_000, scale));
            case "text" -> text(count(84_000, scale));
            case "sessions" -> sessions(count(600_000, scale));
            case "queue" -> queue(count(8_000_000, scale));
            case "table" -> table(count(70, scale));
            case "boxes" -> boxes(count(36, scale));
            case "graph" -> graph(count(16_000_000, scale));
            case "buffers" -> buffers(count(700_000, scale));
            case "parse" -> parse(count(7_800, scale));
            case "numbers" -> numbers(count(2_400, scale));
            case "index" -> index(count(1_500_000, scale));
            default -> throw new IllegalArgumentException("no program " + args[0]);
        }
        System.out.println(sink);
    }

    private static int count(int base, double scale) {
        return (int) Math.round(base * scale);
    }

    private record Tree(Tree left, Tree right) {
        static Tree of(int depth) {
            return depth == 0
                    ? new Tree(null, null)
                    : new Tree(of(depth - 1), of(depth - 1));
        }

        int size() {
            return left == null ? 1 : 1 + left.size() + right.size();
        }
    }

    /// One large long-lived tree and many short-lived ones: 24 MB live, lifetimes of all lengths.
    private static void trees(int rounds) {
        Tree stays = Tree.of(19);
        for (int i = 0; i < rounds; i++) {
            for (int depth = 4; depth <= 18; depth += 2) {
                int many = 1 << (18 - depth);
                for (int k = 0; k < many; k++) {
                    sink += Tree.of(depth).size();
                }
            }
        }
        sink += stays.size();
    }

    /// A cache that evicts the least recently used entry: entries live long, 40 MB live.
    private static void cache(int operations) {
        var cache =
                new LinkedHashMap<Integer, byte[]>(16, 0.75f, true) {
                    @Override
                    protected boolean removeEldestEntry(Map.Entry<Integer, byte[]> eldest) {
                        return size() > 40_000;
                    }
                };
        var random = new Random(SEED);
        for (int i = 0; i < operations; i++) {
            int key = (int) Math.abs(random.nextGaussian() * 40_000);
            byte[] value = cache.get(key);
            if (value == null) {
                value = new byte[200 + random.nextInt(1600)];
                cache.put(key, value);
            }
            sink += value.length + Arrays.copyOf(value, 600).length;
        }
    }

    /// Counts the words of lines: almost no live data.
    private static void text(int lines) {
        var counts = new HashMap<String, Integer>();
        var random = new Random(SEED);
        for (int i = 0; i < lines; i++) {
            var line = new StringBuilder();
            for (int w = 0; w < 200; w++) {
                line.append("word").append(random.nextInt(20_000)).append(' ');
            }
            for (String word : line.toString().split(" ")) {
                counts.merge(word.toUpperCase(java.util.Locale.ROOT), 1, Integer::sum);
            }
        }
        sink += counts.size();
    }

    private record Session(int user, List<String> pages, byte[] state) {}

    /// Two threads answer requests; a session lives for some thousand requests: 30 MB live.
    private static void sessions(int requests) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 2; t++) {
            long seed = SEED + t;
            threads.add(new Thread(() -> answer(requests / 2, new Random(seed))));
        }
        for (Thread t : threads) {
            t.start();
        }
        for (Thread t : threads) {
            t.join();
        }
    }

    private static void answer(int requests, Random random) {
        var sessions = new ArrayDeque<Session>();
        long local = 0;
        for (int i = 0; i < requests; i++) {
            List<String> page = new ArrayList<>();
            for (int k = 0; k < 60; k++) {
                page.add("cell-" + random.nextInt(1000));
            }
            local += String.join(";", page).length();
            sessions.add(new Session(i, page.subList(0, 10), new byte[1500]));
            if (sessions.size() > 5_000) {
                local += sessions.remove().state().length;
            }
        }
        synchronized (Corpus.class) {
            sink += local;
        }
    }

    /// Messages in a queue between two threads: up to 20 MB for a short time.
    private static void queue(int messages) throws InterruptedException {
        BlockingQueue<byte[]> queue = new ArrayBlockingQueue<>(20_000);
        Thread producer =
                new Thread(() -> {
                    try {
                        for (int i = 0; i < messages; i++) {
                            queue.put(new byte[500 + i % 1000]);
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
        producer.start();
        for (int i = 0; i < messages; i++) {
            sink += Arrays.copyOf(queue.take(), 300).length;
        }
        producer.join();
    }

    /// Builds a table of 50 MB, reads it, drops it, and starts again: all of it lives, then all of
    /// it dies.
    private static void table(int times) {
        for (int t = 0; t < times; t++) {
            var table = new HashMap<Integer, String>();
            for (int i = 0; i < 400_000; i++) {
                table.put(i, "row " + i + " of " + t);
            }
            for (int i = 0; i < 400_000; i += 3) {
                sink += table.get(i).length() + ("read " + i).length();
            }
        }
    }

    /// Boxed numbers are sorted and grouped by streams: a few MB for the duration of a step.
    private static void boxes(int times) {
        var random = new Random(SEED);
        for (int t = 0; t < times; t++) {
            List<Integer> numbers =
                    random.ints(300_000, 0, 1 << 20).boxed().collect(Collectors.toList());
            Collections.sort(numbers);
            Map<Integer, List<Integer>> groups =
                    numbers.stream().collect(Collectors.groupingBy(n -> n >> 6));
            sink += groups.size();
        }
    }

    private static final class Node {
        private final Node[] next = new Node[4];
        private final long[] load = new long[6];
    }

    /// Nodes of a graph are replaced at random: old objects point to young ones, 45 MB live.
    private static void graph(int steps) {
        var nodes = new Node[300_000];
        Arrays.setAll(nodes, i -> new Node());
        var random = new Random(SEED);
        for (int i = 0; i < steps; i++) {
            Node fresh = new Node();
            fresh.load[0] = i;
            if (i % 8 == 0) {
                int at = random.nextInt(nodes.length);
                fresh.next[0] = nodes[random.nextInt(nodes.length)];
                fresh.next[0].next[1 + i % 3] = null;
                nodes[at] = fresh;
            }
            sink += fresh.load[0] & 1;
        }
    }

    /// Buffers of 4 to 60 KB in a ring of 1000: 30 MB live, each buffer for 1000 steps.
    private static void buffers(int steps) {
        var ring = new byte[1000][];
        var random = new Random(SEED);
        for (int i = 0; i < steps; i++) {
            ring[i % ring.length] = new byte[4096 + random.nextInt(56 * 1024)];
            sink += new byte[1024].length + ring[random.nextInt(1 + i % ring.length)].length;
        }
    }

    /// Documents are parsed into maps and lists; one in twenty of the last 1200 is kept: 12 MB
    /// live.
    private static void parse(int documents) {
        var kept = new ArrayDeque<Map<String, Object>>();
        for (int i = 0; i < documents; i++) {
            Map<String, Object> root = document(i, 5);
            sink += root.toString().length();
            if (i % 20 == 0) {
                kept.add(root);
                if (kept.size() > 60) {
                    kept.remove();
                }
            }
        }
    }

    private static Map<String, Object> document(int seed, int depth) {
        Map<String, Object> map = new TreeMap<>();
        for (int i = 0; i < 5; i++) {
            map.put(
                    "key" + i,
                    depth == 0 || i > 2
                            ? List.of(seed * 31L + i, "value " + seed + i)
                            : document(seed + i, depth - 1));
        }
        return map;
    }

    /// Long products: much garbage, no live data.
    private static void numbers(int times) {
        for (int t = 0; t < times; t++) {
            BigInteger product = BigInteger.ONE;
            for (int i = 2; i < 2_200; i++) {
                product = product.multiply(BigInteger.valueOf(i + t));
            }
            sink += product.bitLength();
        }
    }

    /// A map that grows to 60 MB while most other objects die at once.
    private static void index(int entries) {
        var index = new TreeMap<String, int[]>();
        var random = new Random(SEED);
        for (int i = 0; i < entries; i++) {
            String key = "key-" + random.nextInt(180_000);
            int[] places = index.get(key);
            index.put(key, places == null ? new int[40] : places);
            sink += key.repeat(60).length();
        }
    }
}
