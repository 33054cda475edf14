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

/// Two more sets of programs, used only to check forecasts, each run once with the model chosen
/// before: `java CorpusUnseen broker [SCALE]`. Live sets are about 5 to 60 MB.
final class CorpusUnseen {
    private static final long SEED = 20_261_123L;
    private static long sink;

    private CorpusUnseen() {}

    public static void main(String[] args) {
        double scale = args.length > 1 ? Double.parseDouble(args[1]) : 1;
        switch (args[0]) {
            case "broker" -> broker(count(4_000_000, scale));
            case "documents" -> documents(count(200_000, scale));
            case "search" -> search(count(35_000, scale));
            case "rooms" -> rooms(count(700_000, scale));
            case "compile" -> compile(count(220, scale));
            case "sheets" -> sheets(count(60_000, scale));
            default -> throw new IllegalArgumentException("no program " + args[0]);
        }
        System.out.println(sink);
    }

    private static int count(int base, double scale) {
        return (int) Math.round(base * scale);
    }

    private static final class Message {
        private final long id;
        private final byte[] body;
        private final Map<String, String> headers = new HashMap<>(4);
        private int tries;

        Message(long id, byte[] body) {
            this.id = id;
            this.body = body;
        }
    }

    /// A message queue. Consumers get messages in batches and acknowledge most within 2000
    /// messages, a few only after 30 000; a few are redelivered. The number of waiting messages
    /// varies between a few hundred and 40 000, and the last 5000 acknowledged ones stay for
    /// replay.
    private static void broker(int messages) {
        var random = new Random(SEED);
        var waiting = new ArrayDeque<Message>();
        var unacknowledged = new TreeMap<Long, List<Message>>();
        var replay = new ArrayDeque<Message>();
        for (int i = 0; i < messages; i++) {
            var message = new Message(i, new byte[60 + random.nextInt(random.nextInt(40) == 0 ? 6000 : 500)]);
            message.headers.put("key", "order-" + random.nextInt(90_000));
            message.headers.put("trace", Long.toHexString(random.nextLong()));
            waiting.add(message);
            boolean slow = i / 60_000 % 3 == 1;
            if (random.nextInt(10) < (slow ? 4 : 13) && !waiting.isEmpty()) {
                var batch = new ArrayList<Message>();
                for (int k = slow ? 1 : 2; k > 0 && !waiting.isEmpty(); k--) {
                    batch.add(waiting.remove());
                }
                for (Message m : batch) {
                    m.tries++;
                    sink += (m.headers.get("key") + '/' + m.headers.get("trace") + '/' + m.tries).length()
                            + Arrays.hashCode(m.body);
                }
                long due = i + (random.nextInt(50) == 0 ? 30_000 : random.nextInt(2000));
                unacknowledged.computeIfAbsent(due, k -> new ArrayList<>(2)).addAll(batch);
            }
            while (!unacknowledged.isEmpty() && unacknowledged.firstKey() <= i) {
                for (Message m : unacknowledged.pollFirstEntry().getValue()) {
                    if (random.nextInt(100) == 0 && m.tries < 3) {
                        waiting.addFirst(m);
                    } else {
                        replay.add(m);
                    }
                }
            }
            while (replay.size() > 5000) {
                sink += replay.remove().id;
            }
        }
        sink += waiting.size();
    }

    private record Version(int number, Map<String, Object> fields, String json) {}

    /// The last four versions of documents, some of which change far more often than others. Every
    /// change copies the document and writes it as text; every 64th also reads a thousand
    /// documents.
    private static void documents(int changes) {
        var random = new Random(SEED);
        var store = new HashMap<Integer, ArrayDeque<Version>>();
        for (int i = 0; i < changes; i++) {
            int id = (int) (Math.pow(random.nextDouble(), 3) * 12_000);
            ArrayDeque<Version> versions = store.computeIfAbsent(id, k -> new ArrayDeque<>(5));
            Map<String, Object> fields =
                    versions.isEmpty() ? new LinkedHashMap<>() : new LinkedHashMap<>(versions.getLast().fields());
            for (int k = 0; k < 3; k++) {
                fields.put("field" + random.nextInt(18), k == 0 ? (Object) random.nextInt() : "value " + random.nextInt(5000));
            }
            var text = new StringBuilder("{");
            fields.forEach((k, v) -> text.append('"').append(k).append("\":\"").append(v).append("\","));
            versions.add(new Version(i, fields, text.append('}').toString()));
            if (versions.size() > 4) {
                sink += versions.remove().json().length();
            }
            if (i % 64 == 0) {
                var hits = new ArrayList<Map.Entry<Integer, String>>();
                for (int k = 0; k < 1000; k++) {
                    ArrayDeque<Version> of = store.get(random.nextInt(12_000));
                    Object field = of == null ? null : of.getLast().fields().get("field7");
                    if (field != null) {
                        hits.add(Map.entry(k, field.toString().toLowerCase() + '#' + of.getLast().number()));
                    }
                }
                hits.sort(Map.Entry.comparingByValue());
                sink += hits.size();
            }
        }
        sink += store.size();
    }

    /// A segment of an index: the documents that contain each word.
    private record Segment(int first, int last, Map<String, int[]> words) {}

    /// Texts of some hundred words go into an index whose newest segment grows in memory. With 1500
    /// texts it is packed, eight segments are merged into one, and segments with the oldest texts
    /// are removed. There is a query after every 20th text.
    private static void search(int texts) {
        var random = new Random(SEED);
        var segments = new ArrayDeque<Segment>();
        var growing = new HashMap<String, List<Integer>>();
        int first = 0;
        for (int i = 0; i < texts; i++) {
            var text = new StringBuilder();
            for (int w = 80 + random.nextInt(250); w > 0; w--) {
                text.append("word").append((int) (Math.pow(random.nextDouble(), 4) * 30_000)).append(' ');
            }
            for (String word : text.toString().split(" ")) {
                List<Integer> of = growing.computeIfAbsent(word, k -> new ArrayList<>());
                if (of.isEmpty() || of.get(of.size() - 1) != i) {
                    of.add(i);
                }
            }
            if (i - first == 1500) {
                var words = new HashMap<String, int[]>();
                growing.forEach((word, of) -> words.put(word, of.stream().mapToInt(d -> d).toArray()));
                segments.add(new Segment(first, i, words));
                growing = new HashMap<>();
                first = i + 1;
                if (segments.size() >= 8 && segments.size() % 8 == 0) {
                    merge(segments);
                }
                while (!segments.isEmpty() && segments.getFirst().last() < i - 15_000) {
                    segments.removeFirst();
                }
            }
            if (i % 20 == 0) {
                sink += find(segments, "word" + random.nextInt(3000)).size();
            }
        }
        sink += growing.size() + segments.size();
    }

    private static void merge(ArrayDeque<Segment> segments) {
        var parts = new ArrayList<Segment>();
        for (int k = 0; k < 8; k++) {
            parts.add(segments.removeLast());
        }
        Collections.reverse(parts);
        var words = new HashMap<String, int[]>();
        for (Segment part : parts) {
            part.words().forEach((word, of) -> words.merge(word, of, (a, b) -> {
                int[] both = Arrays.copyOf(a, a.length + b.length);
                System.arraycopy(b, 0, both, a.length, b.length);
                return both;
            }));
        }
        segments.add(new Segment(parts.get(0).first(), parts.get(7).last(), words));
    }

    private static List<String> find(ArrayDeque<Segment> segments, String word) {
        var found = new ArrayList<String>();
        for (Segment s : segments) {
            for (int document : s.words().getOrDefault(word, new int[0])) {
                found.add(word + " in " + document);
            }
        }
        return found;
    }

    private record Line(int from, long at, String text, List<String> mentions) {}

    /// Chat rooms, each of which keeps its last 120 lines. Every line also goes into the inboxes of
    /// some people, who read and empty them from time to time, a few of them rarely.
    private static void rooms(int lines) {
        var random = new Random(SEED + 1);
        var rooms = new HashMap<Integer, ArrayDeque<Line>>();
        var inboxes = new HashMap<Integer, List<Line>>();
        for (int i = 0; i < lines; i++) {
            int room = (int) (Math.pow(random.nextDouble(), 2) * 1200);
            var text = new StringBuilder();
            for (int w = 4 + random.nextInt(20); w > 0; w--) {
                text.append(Integer.toString(random.nextInt(1 << 24), 36)).append(' ');
            }
            var line = new Line(random.nextInt(5000), i, text.toString(), List.of("@" + random.nextInt(5000)));
            ArrayDeque<Line> history = rooms.computeIfAbsent(room, k -> new ArrayDeque<>());
            history.add(line);
            if (history.size() > 120) {
                sink += history.remove().text().length();
            }
            for (int k = 0; k < 3; k++) {
                inboxes.computeIfAbsent((room * 7 + random.nextInt(40)) % 5000, n -> new ArrayList<>()).add(line);
            }
            if (i % 4 == 0) {
                int reader = random.nextInt(100) < 80 ? random.nextInt(4000) : random.nextInt(5000);
                List<Line> inbox = inboxes.remove(reader);
                if (inbox != null) {
                    var page = new StringBuilder();
                    inbox.forEach(l -> page.append(l.from()).append(": ").append(l.text()).append(l.mentions()));
                    sink += page.length();
                }
            }
        }
        sink += rooms.size() + inboxes.size();
    }

    private static class Node {
        private final String kind;
        private final List<Node> parts = new ArrayList<>(2);
        private long value;

        Node(String kind) {
            this.kind = kind;
        }
    }

    /// Modules are generated, parsed into trees of some thousand nodes, folded, and written as
    /// instructions. The trees of a module die together; the exports of the last 25 modules stay.
    private static void compile(int modules) {
        var random = new Random(SEED + 2);
        var exported = new ArrayDeque<Map<String, long[]>>();
        for (int m = 0; m < modules; m++) {
            var trees = new ArrayList<Node>();
            int functions = 100 + random.nextInt(900);
            for (int f = 0; f < functions; f++) {
                trees.add(grow(random, 7));
            }
            var names = new HashMap<String, long[]>();
            var folded = new ArrayList<Node>();
            for (Node tree : trees) {
                folded.add(fold(tree));
            }
            for (int f = 0; f < functions; f++) {
                var code = new ArrayList<String>();
                emit(folded.get(f), code);
                String all = String.join("\n", code);
                names.put("module" + m + ".function" + f, new long[] {all.hashCode(), code.size(), all.length()});
                sink += all.length();
            }
            exported.add(names);
            if (exported.size() > 25) {
                exported.remove();
            }
        }
        sink += exported.size();
    }

    private static Node grow(Random random, int depth) {
        var node = new Node(depth == 0 ? "constant" : random.nextInt(5) == 0 ? "name" + random.nextInt(400) : "sum");
        node.value = random.nextInt(1000);
        if (node.kind.equals("sum")) {
            for (int k = 1 + random.nextInt(2); k >= 0; k--) {
                node.parts.add(grow(random, depth - 1));
            }
        }
        return node;
    }

    private static Node fold(Node node) {
        var folded = new Node(node.kind);
        folded.value = node.value;
        long constants = 0;
        for (Node part : node.parts) {
            Node small = fold(part);
            if (small.kind.equals("constant")) {
                constants += small.value;
            } else {
                folded.parts.add(small);
            }
        }
        if (!node.parts.isEmpty() && folded.parts.isEmpty()) {
            var constant = new Node("constant");
            constant.value = constants;
            return constant;
        }
        folded.value += constants;
        return folded;
    }

    private static void emit(Node node, List<String> code) {
        node.parts.forEach(part -> emit(part, code));
        code.add(node.kind + ' ' + node.value);
    }

    /// A sheet of 40 000 cells, each of which depends on some earlier ones. A change recalculates
    /// dependent cells into new ones, and the last 3000 changes can be undone.
    private static void sheets(int changes) {
        var random = new Random(SEED + 3);
        int many = 40_000;
        var cells = new Object[many];
        var dependents = new int[many][];
        Arrays.setAll(dependents, i -> {
            var to = new int[random.nextInt(4)];
            Arrays.setAll(to, k -> Math.min(many - 1, i + 1 + random.nextInt(200)));
            return to;
        });
        var undo = new ArrayDeque<Map<Integer, Object>>();
        for (int i = 0; i < changes; i++) {
            var before = new HashMap<Integer, Object>();
            var open = new ArrayDeque<Integer>();
            open.add(random.nextInt(many));
            while (!open.isEmpty() && before.size() < 150) {
                int at = open.remove();
                if (before.containsKey(at)) {
                    continue;
                }
                before.put(at, cells[at] == null ? "" : cells[at]);
                var formula = new StringBuilder("=");
                for (int k = 0; k < 6; k++) {
                    formula.append('R').append(random.nextInt(many)).append("*").append(i % 97).append('+');
                }
                cells[at] = formula.toString();
                for (int next : dependents[at]) {
                    open.add(next);
                }
            }
            undo.add(before);
            if (undo.size() > 3000) {
                sink += undo.remove().size();
            }
            if (random.nextInt(200) == 0) {
                for (int k = random.nextInt(50); k > 0 && !undo.isEmpty(); k--) {
                    undo.removeLast().forEach((cell, value) -> cells[cell] = value);
                }
            }
        }
        sink += undo.size();
    }
}
