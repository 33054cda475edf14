import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;

/// More programs of the kind of `CorpusWorlds`: `java CorpusJobs metrics [SCALE]`. Live sets are
/// about 10 to 45 MB.
final class CorpusJobs {
    private static final long SEED = 20_261_124L;
    private static long sink;

    private CorpusJobs() {}

    public static void main(String[] args) throws InterruptedException {
        double scale = args.length > 1 ? Double.parseDouble(args[1]) : 1;
        switch (args[0]) {
            case "metrics" -> metrics(count(350, scale));
            case "script" -> script(count(40_000, scale));
            case "recommend" -> recommend(count(4, scale));
            default -> throw new IllegalArgumentException("no program " + args[0]);
        }
        System.out.println(sink);
    }

    private static int count(int base, double scale) {
        return (int) Math.round(base * scale);
    }

    private record Sealed(long from, long to, byte[] points) {}

    private static final class Series {
        private final Map<String, String> labels;
        private final ArrayDeque<Sealed> sealed = new ArrayDeque<>(4);
        private long[] times = new long[50];
        private double[] values = new double[50];
        private int filled;
        private double value;

        Series(Map<String, String> labels) {
            this.labels = labels;
        }

        void add(long time, double v) {
            times[filled] = time;
            values[filled++] = v;
            if (filled == times.length) {
                var points = ByteBuffer.allocate(filled * 16);
                for (int k = 0; k < filled; k++) {
                    points.putShort((short) (times[k] - times[0])).putFloat((float) values[k]);
                }
                sealed.add(new Sealed(times[0], time, Arrays.copyOf(points.array(), points.position())));
                times = new long[50];
                values = new double[50];
                filled = 0;
            }
        }
    }

    /// A store of measurements. Each round reads a text of 4000 lines. Points are collected fifty
    /// to a series, then packed, and kept for 400 rounds. In about one round of forty, a tenth of
    /// the series is replaced; old names go with their last points. Queries unpack a part.
    private static void metrics(int rounds) {
        var random = new Random(SEED + 3);
        var store = new HashMap<String, Series>();
        var names = new ArrayList<String>();
        for (int k = 0; k < 4000; k++) {
            names.add(name(k, 0));
        }
        for (int round = 0; round < rounds; round++) {
            if (random.nextInt(40) == 0) {
                int service = random.nextInt(10);
                for (int k = service; k < names.size(); k += 10) {
                    names.set(k, name(k, round));
                }
            }
            var text = new StringBuilder();
            for (String name : names) {
                text.append(name).append(' ').append(random.nextInt(1_000_000) / 100.0).append('\n');
            }
            for (String line : text.toString().split("\n")) {
                int space = line.lastIndexOf(' ');
                Series series = store.computeIfAbsent(line.substring(0, space), k -> new Series(labels(k)));
                series.value += Double.parseDouble(line.substring(space + 1));
                series.add(round, series.value);
            }
            if (round % 50 == 0) {
                int oldest = round - 400;
                store.values().removeIf(s -> {
                    while (!s.sealed.isEmpty() && s.sealed.getFirst().to() < oldest) {
                        sink += s.sealed.remove().points().length;
                    }
                    return s.sealed.isEmpty() && (s.filled == 0 || s.times[s.filled - 1] < oldest);
                });
            }
            if (round % 10 == 0) {
                sink += asked(store, "service" + random.nextInt(10), round - random.nextInt(400)).size();
            }
        }
        sink += store.size();
    }

    private static String name(int k, int since) {
        return "requests_total{job=service" + k % 10 + ",pod=p" + since + "-" + k % 200 + ",path=/v1/" + k / 200 + "}";
    }

    private static Map<String, String> labels(String name) {
        var labels = new HashMap<String, String>();
        for (String label : name.substring(name.indexOf('{') + 1, name.length() - 1).split(",")) {
            int is = label.indexOf('=');
            labels.put(label.substring(0, is), label.substring(is + 1));
        }
        return labels;
    }

    private static Map<Long, List<Double>> asked(Map<String, Series> store, String job, long since) {
        var byTime = new TreeMap<Long, List<Double>>();
        for (Series series : store.values()) {
            if (series.labels.get("job").equals(job)) {
                for (Sealed s : series.sealed) {
                    var points = ByteBuffer.wrap(s.points());
                    while (s.to() >= since && points.hasRemaining()) {
                        long time = s.from() + points.getShort();
                        byTime.computeIfAbsent(time / 10, k -> new ArrayList<>()).add((double) points.getFloat());
                    }
                }
            }
        }
        byTime.values().forEach(Collections::sort);
        return byTime;
    }

    private record Pair(Object head, Object tail) {}

    private record Closure(List<?> names, Object body, Scope scope) {}

    private static final class Scope {
        private final Map<String, Object> values = new HashMap<>(4);
        private final Scope outer;

        Scope(Scope outer) {
            this.outer = outer;
        }

        Object get(String name) {
            Object value = values.get(name);
            return value != null || outer == null ? value : outer.get(name);
        }
    }

    private static final String LIBRARY = """
            (define range (lambda (a b) (if (< a b) (cons a (range (+ a 1) b)) nil)))
            (define map (lambda (f l) (if l (cons (f (head l)) (map f (tail l))) nil)))
            (define fold (lambda (f z l) (if l (fold f (f z (head l)) (tail l)) z)))
            (define get (lambda (t k) (if t (if (< k (head (head t))) (get (head (tail t)) k)
              (if (< (head (head t)) k) (get (tail (tail t)) k) (tail (head t)))) nil)))
            (define put (lambda (t k v) (if t (if (< k (head (head t)))
              (cons (head t) (cons (put (head (tail t)) k v) (tail (tail t))))
              (if (< (head (head t)) k) (cons (head t) (cons (head (tail t)) (put (tail (tail t)) k v)))
              (cons (cons k v) (tail t)))) (cons (cons k v) nil))))
            """;

    /// Small scripts are parsed and interpreted in 30 workspaces, some used far more than others.
    /// Each workspace has a tree of up to 2000 keys; a change copies the path to its key. The last
    /// 50 trees are kept for undo, and a workspace is reset from time to time.
    private static void script(int requests) {
        var random = new Random(SEED + 4);
        var workspaces = new Scope[30];
        var histories = new ArrayList<ArrayDeque<Object>>();
        for (int i = 0; i < requests; i++) {
            int at = (int) (Math.pow(random.nextDouble(), 2) * workspaces.length);
            if (workspaces[at] == null || random.nextInt(3000) == 0) {
                workspaces[at] = new Scope(null);
                run(LIBRARY, workspaces[at]);
            }
            while (histories.size() <= at) {
                histories.add(new ArrayDeque<>());
            }
            int key = random.nextInt(2000);
            if (random.nextInt(3) > 0) {
                run("(define make (lambda (x) (+ (* x " + key + ") 1000)))"
                        + "(define store (put store " + key + " (map make (range 0 " + random.nextInt(12) + "))))"
                        + "(define store (put store " + random.nextInt(2000) + " (range 200 208)))", workspaces[at]);
                histories.get(at).add(workspaces[at].get("store"));
                if (histories.get(at).size() > 50) {
                    sink += histories.get(at).remove() == null ? 0 : 1;
                }
            } else {
                Object sum = run("(fold (lambda (a b) (+ a b)) 0 (map (lambda (k) (fold (lambda (a b) (+ a b)) 0"
                        + " (get store (+ k " + key + ")))) (range 0 25)))", workspaces[at]);
                sink += (Long) sum;
            }
        }
    }

    private static Object run(String text, Scope scope) {
        var tokens = new ArrayDeque<String>();
        for (String token : text.replace("(", " ( ").replace(")", " ) ").trim().split("\\s+")) {
            tokens.add(token);
        }
        Object result = null;
        while (!tokens.isEmpty()) {
            result = eval(read(tokens), scope);
        }
        return result;
    }

    private static Object read(ArrayDeque<String> tokens) {
        String token = tokens.remove();
        if (!token.equals("(")) {
            return Character.isDigit(token.charAt(0)) ? (Object) Long.valueOf(token) : token;
        }
        var parts = new ArrayList<Object>(4);
        while (!tokens.element().equals(")")) {
            parts.add(read(tokens));
        }
        tokens.remove();
        return parts;
    }

    private static Object eval(Object form, Scope scope) {
        if (!(form instanceof List<?> call)) {
            return form instanceof String name ? scope.get(name) : form;
        }
        var first = (String) call.get(0);
        switch (first) {
            case "if":
                return eval(call.get(eval(call.get(1), scope) != null ? 2 : 3), scope);
            case "lambda":
                return new Closure((List<?>) call.get(1), call.get(2), scope);
            case "define":
                return scope.values.put((String) call.get(1), eval(call.get(2), scope));
            default:
        }
        var arguments = new Object[call.size() - 1];
        for (int k = 0; k < arguments.length; k++) {
            arguments[k] = eval(call.get(k + 1), scope);
        }
        if (scope.get(first) instanceof Closure f) {
            var inner = new Scope(f.scope());
            for (int k = 0; k < arguments.length; k++) {
                inner.values.put((String) f.names().get(k), arguments[k]);
            }
            return eval(f.body(), inner);
        }
        return switch (first) {
            case "+" -> (Long) arguments[0] + (Long) arguments[1];
            case "*" -> (Long) arguments[0] * (Long) arguments[1];
            case "<" -> (Long) arguments[0] < (Long) arguments[1] ? arguments[1] : null;
            case "cons" -> new Pair(arguments[0], arguments[1]);
            case "head" -> arguments[0] instanceof Pair p ? p.head() : null;
            case "tail" -> arguments[0] instanceof Pair p ? p.tail() : null;
            default -> throw new IllegalArgumentException("no function " + first);
        };
    }

    private record Suggestion(int item, double score, String because) {}

    /// Recommendations for 4000 people among 3000 items, from what similar people like. Two threads
    /// each compute half of the people and keep the best 40. Everything is replaced when both are
    /// done, and between two such jobs a fifth of the people change their likes.
    private static void recommend(int jobs) throws InterruptedException {
        var random = new Random(SEED + 5);
        var liked = new int[4000][];
        Map<Integer, List<Suggestion>> best = Map.of();
        for (int job = 0; job < jobs; job++) {
            for (int person = 0; person < liked.length; person++) {
                if (job == 0 || random.nextInt(5) == 0) {
                    liked[person] = random.doubles(20 + random.nextInt(100))
                            .mapToInt(d -> (int) (d * d * 3000)).distinct().toArray();
                }
            }
            var people = new HashMap<Integer, List<Integer>>();
            for (int person = 0; person < liked.length; person++) {
                for (int item : liked[person]) {
                    people.computeIfAbsent(item, k -> new ArrayList<>()).add(person);
                }
            }
            var halves = List.of(new HashMap<Integer, List<Suggestion>>(), new HashMap<Integer, List<Suggestion>>());
            var threads = new ArrayList<Thread>();
            for (int half = 0; half < 2; half++) {
                int from = half;
                var thread = new Thread(() -> {
                    for (int person = from; person < liked.length; person += 2) {
                        halves.get(from).put(person, suggested(person, liked, people));
                    }
                });
                thread.start();
                threads.add(thread);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            var both = new HashMap<>(halves.get(0));
            both.putAll(halves.get(1));
            for (var e : both.entrySet()) {
                sink += e.getValue().equals(best.get(e.getKey())) ? 0 : 1;
            }
            best = both;
        }
    }

    private static List<Suggestion> suggested(int person, int[][] liked, Map<Integer, List<Integer>> people) {
        var random = new Random(SEED + person);
        var scores = new HashMap<Integer, Double>();
        for (int k = 0; k < 20; k++) {
            List<Integer> near = people.get(liked[person][random.nextInt(liked[person].length)]);
            int other = near.get(random.nextInt(near.size()));
            for (int item : liked[other]) {
                scores.merge(item, 1.0 / liked[other].length, Double::sum);
            }
        }
        var top = new PriorityQueue<Suggestion>(Comparator.comparingDouble(Suggestion::score));
        scores.forEach((item, score) -> {
            if (top.size() < 40 || top.element().score() < score) {
                top.add(new Suggestion(item, score, person + " likes what " + item + " goes with"));
            }
            if (top.size() > 40) {
                top.remove();
            }
        });
        return new ArrayList<>(top);
    }
}
