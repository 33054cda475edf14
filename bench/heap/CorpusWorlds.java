import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/// Programs of other kinds than the earlier ones, used only to check forecasts, each run once with
/// the model chosen before: `java CorpusWorlds exchange [SCALE]`. Live sets are about 20 to 45 MB.
final class CorpusWorlds {
    private static final long SEED = 20_261_124L;
    private static long sink;

    private CorpusWorlds() {}

    public static void main(String[] args) {
        double scale = args.length > 1 ? Double.parseDouble(args[1]) : 1;
        switch (args[0]) {
            case "exchange" -> exchange(count(1_500_000, scale));
            case "spelling" -> spelling(count(2_200, scale));
            case "world" -> world(count(2_400, scale));
            default -> throw new IllegalArgumentException("no program " + args[0]);
        }
        System.out.println(sink);
    }

    private static int count(int base, double scale) {
        return (int) Math.round(base * scale);
    }

    private static final class Order {
        private final long id;
        private final int book;
        private final boolean buys;
        private final boolean untilCancelled;
        private final int price;
        private int open;

        Order(long id, int book, boolean buys, boolean untilCancelled, int price, int open) {
            this.id = id;
            this.book = book;
            this.buys = buys;
            this.untilCancelled = untilCancelled;
            this.price = price;
            this.open = open;
        }
    }

    private record Trade(long at, int price, int size, Order maker, long taker) {}

    /// The waiting orders for one share, by price; within a price, in the order of arrival.
    private static final class Book {
        private final TreeMap<Integer, ArrayDeque<Order>> bids = new TreeMap<>(Comparator.reverseOrder());
        private final TreeMap<Integer, ArrayDeque<Order>> asks = new TreeMap<>();
        private int last = 10_000;

        TreeMap<Integer, ArrayDeque<Order>> side(boolean buys) {
            return buys ? bids : asks;
        }

        String top() {
            var text = new StringBuilder();
            for (var side : List.of(bids, asks)) {
                side.entrySet().stream().limit(3).forEach(level ->
                        text.append(level.getKey()).append('x').append(level.getValue().size()).append(' '));
            }
            return text.append(last).toString();
        }
    }

    /// An exchange of 60 shares. Orders wait until they are matched, cancelled (most of them soon),
    /// or the day of 250 000 events ends; few stay longer. The trades of a day stay until its end,
    /// and published quotes for 3000 events.
    private static void exchange(int events) {
        var random = new Random(SEED);
        var books = new Book[60];
        Arrays.setAll(books, k -> new Book());
        var waiting = new HashMap<Long, Order>();
        var trades = new ArrayList<Trade>();
        var told = new ArrayDeque<String>();
        var days = new ArrayList<Map<Integer, long[]>>();
        for (int i = 0; i < events; i++) {
            int at = (int) (Math.pow(random.nextDouble(), 2) * books.length);
            int kind = random.nextInt(100);
            if (kind < 30) {
                Order gone = waiting.remove(i - (long) (Math.pow(random.nextDouble(), 3) * 100_000));
                if (gone != null) {
                    var side = books[gone.book].side(gone.buys);
                    ArrayDeque<Order> level = side.get(gone.price);
                    level.remove(gone);
                    if (level.isEmpty()) {
                        side.remove(gone.price);
                    }
                }
            } else {
                boolean buys = random.nextBoolean();
                int away = kind < 88 ? (int) Math.abs(random.nextGaussian() * 60) : -20;
                int price = books[at].last + (buys ? -away : away);
                var order = new Order(i, at, buys, random.nextInt(20) == 0, price, 1 + random.nextInt(400));
                meet(books[at], order, waiting, trades, i);
                if (order.open > 0) {
                    waiting.put(order.id, order);
                    books[at].side(buys).computeIfAbsent(price, k -> new ArrayDeque<>(4)).add(order);
                }
            }
            told.add(at + ":" + books[at].top());
            if (told.size() > 3000) {
                sink += told.remove().length();
            }
            if (i % 250_000 == 249_999) {
                var ofDay = new HashMap<Integer, long[]>();
                for (Trade t : trades) {
                    long[] sums = ofDay.computeIfAbsent(t.maker().book, k -> new long[3]);
                    sums[0] += t.size();
                    sums[1] += (long) t.price() * t.size();
                    sums[2] = Math.max(sums[2], t.taker());
                }
                days.add(ofDay);
                trades.clear();
                waiting.values().removeIf(o -> !o.untilCancelled);
                for (Book book : books) {
                    for (var side : List.of(book.bids, book.asks)) {
                        side.values().forEach(level -> level.removeIf(o -> !o.untilCancelled));
                        side.values().removeIf(ArrayDeque::isEmpty);
                    }
                }
            }
        }
        sink += waiting.size() + days.size();
    }

    private static void meet(Book book, Order order, Map<Long, Order> waiting, List<Trade> trades, long at) {
        var others = book.side(!order.buys);
        while (order.open > 0 && !others.isEmpty()) {
            var best = others.firstEntry();
            if (order.buys ? best.getKey() > order.price : best.getKey() < order.price) {
                return;
            }
            Order maker = best.getValue().getFirst();
            int size = Math.min(maker.open, order.open);
            maker.open -= size;
            order.open -= size;
            book.last = best.getKey();
            trades.add(new Trade(at, best.getKey(), size, maker, order.id));
            if (maker.open == 0) {
                waiting.remove(maker.id);
                best.getValue().removeFirst();
                if (best.getValue().isEmpty()) {
                    others.remove(best.getKey());
                }
            }
        }
    }

    private record Mistake(int at, String word, List<String> better) {}

    private record Checked(String text, List<Mistake> mistakes) {}

    /// A spell checker with 90 000 words that stay. It generates and looks up the words one edit
    /// away from a wrong word. The answers for the 15 000 most recently used wrong words stay. So
    /// do 1500 texts with their mistakes until they are checked again, some far more often than
    /// others.
    private static void spelling(int checks) {
        var random = new Random(SEED + 1);
        var words = new ArrayList<String>();
        var frequencies = new HashMap<String, Integer>();
        String[] syllables = "ba de fi go lu mar nen pi ros ta vel wi zo ker sun".split(" ");
        while (words.size() < 90_000) {
            var word = new StringBuilder();
            for (int k = 2 + random.nextInt(4); k > 0; k--) {
                word.append(syllables[random.nextInt(syllables.length)]);
            }
            if (frequencies.putIfAbsent(word.toString(), 1 + random.nextInt(100_000)) == null) {
                words.add(word.toString());
            }
        }
        var known = new LinkedHashMap<String, List<String>>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, List<String>> eldest) {
                return size() > 15_000;
            }
        };
        var open = new Checked[1500];
        for (int i = 0; i < checks; i++) {
            var text = new StringBuilder();
            for (int w = 50 + random.nextInt(random.nextInt(10) == 0 ? 1500 : 300); w > 0; w--) {
                var word = new StringBuilder(words.get((int) (Math.pow(random.nextDouble(), 3) * words.size())));
                if (random.nextInt(25) == 0) {
                    word.setCharAt(random.nextInt(word.length()), (char) ('a' + random.nextInt(26)));
                }
                text.append(word).append(' ');
            }
            var mistakes = new ArrayList<Mistake>();
            int at = 0;
            for (String word : text.toString().split(" ")) {
                if (!frequencies.containsKey(word)) {
                    List<String> better = known.get(word);
                    if (better == null) {
                        better = near(word, frequencies);
                        known.put(word, better);
                    }
                    mistakes.add(new Mistake(at, word, better));
                }
                at += word.length() + 1;
            }
            int slot = (int) (Math.pow(random.nextDouble(), 3) * open.length);
            if (open[slot] != null) {
                sink += open[slot].text().length() + open[slot].mistakes().size();
            }
            open[slot] = new Checked(text.toString(), mistakes);
        }
        sink += known.size();
    }

    private static List<String> near(String word, Map<String, Integer> frequencies) {
        Set<String> edits = new HashSet<>();
        for (int k = 0; k <= word.length(); k++) {
            String before = word.substring(0, k);
            String after = word.substring(k);
            for (char c = 'a'; c <= 'z'; c++) {
                edits.add(before + c + after);
                if (!after.isEmpty()) {
                    edits.add(before + c + after.substring(1));
                }
            }
            if (after.length() > 1) {
                edits.add(before + after.charAt(1) + after.charAt(0) + after.substring(2));
            }
        }
        edits.retainAll(frequencies.keySet());
        var better = new ArrayList<>(edits);
        better.sort(Comparator.comparing(frequencies::get, Comparator.reverseOrder()));
        return List.copyOf(better);
    }

    private record Place(double x, double y, double z) {}

    private static final class Animal {
        private Place place;
        private int age;

        Animal(Place place) {
            this.place = place;
        }
    }

    private static final class Chunk {
        private final byte[][] sections = new byte[6][];
        private final int[] heights = new int[256];
        private final List<Animal> animals = new ArrayList<>();
        private long used;
        private boolean changed;
    }

    /// A world of chunks of 16 by 16 columns. Chunks around seven players, who walk and sometimes
    /// jump far away, are loaded and stay for another 300 ticks. Changed chunks are packed when
    /// unloaded and unpacked when a player returns; the last 3000 are kept. Animals in loaded
    /// chunks get a new place on every tick.
    private static void world(int ticks) {
        var random = new Random(SEED + 2);
        var chunks = new HashMap<Long, Chunk>();
        var packed = new LinkedHashMap<Long, byte[]>();
        var players = new Place[7];
        var courses = new double[players.length];
        Arrays.setAll(players, k -> new Place(random.nextInt(3000), 64, random.nextInt(3000)));
        for (int tick = 0; tick < ticks; tick++) {
            for (int p = 0; p < players.length; p++) {
                if (random.nextInt(2500) == 0) {
                    players[p] = new Place(random.nextInt(3000), 64, random.nextInt(3000));
                }
                courses[p] += random.nextGaussian() / 10;
                Place from = players[p];
                players[p] = new Place(from.x() + Math.cos(courses[p]), 64, from.z() + Math.sin(courses[p]));
                var sent = ByteBuffer.allocate(8192);
                int x0 = (int) players[p].x() >> 4;
                int z0 = (int) players[p].z() >> 4;
                for (int x = x0 - 4; x <= x0 + 4; x++) {
                    for (int z = z0 - 4; z <= z0 + 4; z++) {
                        Chunk chunk = loaded(chunks, packed, x, z);
                        chunk.used = tick;
                        for (Animal animal : chunk.animals) {
                            move(animal, random);
                            if (sent.remaining() > 24) {
                                sent.putDouble(animal.place.x()).putDouble(animal.place.z()).putInt(animal.age);
                            }
                        }
                    }
                }
                if (random.nextInt(8) == 0) {
                    Chunk here = loaded(chunks, packed, x0, z0);
                    here.sections[3] = here.sections[3] == null ? new byte[4096] : here.sections[3];
                    here.sections[3][random.nextInt(4096)] = 7;
                    here.changed = true;
                }
                sink += Arrays.copyOf(sent.array(), sent.position()).length;
            }
            if (tick % 100 == 0) {
                int now = tick;
                chunks.entrySet().removeIf(e -> {
                    boolean unused = e.getValue().used < now - 300;
                    if (unused && e.getValue().changed) {
                        packed.remove(e.getKey());
                        packed.put(e.getKey(), pack(e.getValue()));
                    }
                    return unused;
                });
                var oldest = packed.values().iterator();
                for (int over = packed.size() - 3000; over > 0; over--) {
                    sink += oldest.next().length;
                    oldest.remove();
                }
            }
        }
        sink += chunks.size() + packed.size();
    }

    private static void move(Animal animal, Random random) {
        Place at = animal.place;
        animal.place = new Place(at.x() + random.nextInt(3) - 1, at.y(), at.z() + random.nextInt(3) - 1);
        animal.age++;
    }

    private static Chunk loaded(Map<Long, Chunk> chunks, Map<Long, byte[]> packed, int x, int z) {
        long key = ((long) x << 32) ^ (z & 0xffffffffL);
        Chunk chunk = chunks.get(key);
        if (chunk == null) {
            chunk = made(x, z);
            byte[] runs = packed.get(key);
            for (int k = 0, at = 0; runs != null && k < runs.length; k += 2) {
                byte[] to = chunk.sections[3] = chunk.sections[3] == null ? new byte[4096] : chunk.sections[3];
                for (int n = runs[k] & 0xff; n > 0; n--) {
                    to[at++] = runs[k + 1];
                }
            }
            chunk.changed = runs != null;
            chunks.put(key, chunk);
        }
        return chunk;
    }

    private static Chunk made(int x, int z) {
        var chunk = new Chunk();
        var random = new Random(SEED + 31L * x + z);
        for (int column = 0; column < 256; column++) {
            double far = Math.sin((x * 16 + column % 16) / 90.0) + Math.cos((z * 16 + column / 16) / 70.0);
            int height = chunk.heights[column] = (int) (45 + 20 * far);
            for (int y = 0; y < height; y++) {
                byte[] section = chunk.sections[y / 16];
                if (section == null) {
                    section = chunk.sections[y / 16] = new byte[4096];
                }
                section[y % 16 * 256 + column] = (byte) (y < height - 4 ? 1 + random.nextInt(20) / 19 : 3);
            }
        }
        for (int k = random.nextInt(10); k > 0; k--) {
            chunk.animals.add(new Animal(new Place(x * 16 + k, 64, z * 16)));
        }
        return chunk;
    }

    private static byte[] pack(Chunk chunk) {
        var runs = ByteBuffer.allocate(8192);
        byte[] from = chunk.sections[3];
        for (int at = 0; at < from.length; ) {
            int end = at;
            while (end < from.length && end - at < 255 && from[end] == from[at]) {
                end++;
            }
            runs.put((byte) (end - at)).put(from[at]);
            at = end;
        }
        return Arrays.copyOf(runs.array(), runs.position());
    }
}
