package dev.jdyno.plan;

import dev.jdyno.measure.RunningJvm;
import dev.jdyno.measure.text.Problems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// The file of `jdyno watch --config`: services and settings. A key that the file does not have is
/// empty.
///
/// ```yaml
/// services:
///   - name: shop
///     metrics: http://127.0.0.1:8080/metrics
///     headroomBelow: 1.5
///   - pid: 4711
/// out: /var/lib/jdyno-watch/days
/// keep: 14
/// headroomBelow: 1.2
/// metricsPort: 9779
/// webhook: {url: '@/etc/jdyno/webhook', form: alertmanager}
/// ```
///
/// @param out folder of the day files
/// @param keep number of day files of a service that are kept
/// @param headroomBelow wanted headroom of the services that have none of their own
/// @param namesServices true if the file names services, even if all of them are mistaken
public record WatchFile(
        List<Service> services,
        Optional<Path> out,
        Optional<Integer> keep,
        Optional<Double> headroomBelow,
        Optional<Integer> metricsPort,
        Optional<Hook> webhook,
        boolean namesServices) {
    public static final WatchFile NONE =
            new WatchFile(
                    List.of(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    false);

    public static final int MAX_KEEP = 3650;
    public static final int MAX_PORT = 65_535;
    private static final double MAX_HEADROOM = 1000;
    private static final String HEADROOM_FORM = "write a number such as 1.5";

    public WatchFile {
        services = List.copyOf(services);
    }

    /// A service to watch.
    ///
    /// @param word its name or pid, as on the command line
    /// @param where place of that word in messages
    public record Service(
            String word,
            String where,
            Optional<MetricsPlan> metrics,
            Optional<Double> headroomBelow) {}

    /// What a webhook gets.
    public enum Form {
        EVENTS,
        ALERTMANAGER;

        /// @throws IllegalArgumentException if there is no such form, with the reason
        public static Form parse(String text) {
            return Stream.of(values())
                    .filter(f -> f.name().toLowerCase(Locale.ROOT).equals(text))
                    .findFirst()
                    .orElseThrow(() ->
                            new IllegalArgumentException("is neither events nor alertmanager"));
        }
    }

    /// @param where place of the URL in messages
    /// @param url the URL, or `@FILE` with the name of a file that holds it
    public record Hook(String where, String url, Optional<Form> form) {}

    /// Reads a file. Relative paths in it are relative to its folder.
    ///
    /// @param environment values of `${NAME}` in the file
    /// @param problems receives the mistakes in its keys, each with file, line and key
    /// @throws dev.jdyno.measure.text.UserError of kind usage if the file cannot be read, or is not
    ///   YAML
    public static WatchFile read(Path file, Environment environment, Problems problems) {
        return parse(
                YamlFile.read("watch file", file, "give the path of a YAML file"),
                Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(Path.of("")),
                environment,
                problems);
    }

    static WatchFile parse(String file, Path folder, String text, Problems problems) {
        return parse(YamlFile.of("watch file", file, text), folder, Environment.NONE, problems);
    }

    private static WatchFile parse(
            YamlFile yaml, Path folder, Environment environment, Problems problems) {
        YamlMap top =
                yaml.top(
                        problems,
                        Variables.of(environment),
                        "write at least `services:` with `- name: NAME`");
        var read =
                new WatchFile(
                        services(top),
                        top.value("out", folder::resolve, "write a folder"),
                        top.value("keep", t -> number(t, 1, MAX_KEEP), "write keep: 14"),
                        top.value("headroomBelow", WatchFile::headroom, HEADROOM_FORM),
                        top.value(
                                "metricsPort",
                                t -> number(t, 0, MAX_PORT),
                                "write metricsPort: 9779"),
                        top.map("webhook").flatMap(map -> hook(map, folder)),
                        top.has("services"));
        top.close();
        return read;
    }

    private static List<Service> services(YamlMap top) {
        List<Service> all = new ArrayList<>();
        Set<String> words = new HashSet<>();
        List<YamlMap> items = top.maps("services");
        for (YamlMap item : items) {
            service(item, words).ifPresent(all::add);
        }
        if (top.has("services") && items.isEmpty()) {
            top.problem("services", "names no service", "write `- name: NAME` below it");
        }
        return all;
    }

    /// @param words names and pids of the services before
    private static Optional<Service> service(YamlMap item, Set<String> words) {
        Optional<String> name =
                item.value("name", WatchFile::name, "write a name as jdyno ps shows it");
        Optional<String> pid =
                item.value("pid", WatchFile::pid, "write a process id as jdyno ps shows it");
        Optional<MetricsPlan> metrics = item.value("metrics", MetricsPlan::parse, MetricsPlan.FORM);
        Optional<Double> below = item.value("headroomBelow", WatchFile::headroom, HEADROOM_FORM);
        String key = item.has("pid") ? "pid" : "name";
        if (item.has("name") == item.has("pid")) {
            item.problem(
                    key,
                    item.has("pid") ? "given beside name" : "missing",
                    "give either a name or a pid: `- name: shop`");
        }
        Optional<String> word = name.or(() -> pid);
        if (word.isPresent() && !words.add(word.get())) {
            item.problem(key, "this service stands twice", "keep one of them");
        }
        item.close();
        return word.map(w -> new Service(w, item.where(key), metrics, below));
    }

    private static Optional<Hook> hook(YamlMap map, Path folder) {
        Optional<String> url =
                map.value("url", u -> resolved(u, folder), "write a URL, or '@FILE'");
        if (!map.has("url")) {
            map.problem("url", "missing", "write url: http://HOST/PATH, or url: '@FILE'");
        }
        Optional<Form> form = map.value("form", Form::parse, "write events or alertmanager");
        map.close();
        return url.map(u -> new Hook(map.where("url"), u, form));
    }

    private static String resolved(String url, Path folder) {
        return url.startsWith("@") ? "@" + folder.resolve(url.substring(1)) : url;
    }

    private static String name(String text) {
        if (text.matches("\\d+")) {
            throw new IllegalArgumentException("'" + text + "' is a process id, so the key is pid");
        }
        return text;
    }

    private static String pid(String text) {
        return Integer.toString(number(text, 1, Integer.MAX_VALUE));
    }

    /// A wanted headroom.
    ///
    /// @throws IllegalArgumentException if it is no number from 1 to 1000, with the reason
    public static double headroom(String text) {
        double value = Double.parseDouble(text);
        if (!(value >= 1 && value <= MAX_HEADROOM)) {
            throw new IllegalArgumentException("is not from 1 to 1000");
        }
        return value;
    }

    private static int number(String text, int min, int max) {
        int value = Integer.parseInt(text.trim());
        if (value < min || value > max) {
            throw new IllegalArgumentException("is not from " + min + " to " + max);
        }
        return value;
    }

    /// The service that a word of the command line names, with its settings in this file. The file
    /// may name it by another word: `com.acme.Shop` is the service `shop`.
    public Service service(String word) {
        return services.stream()
                .filter(s -> s.word().equals(word))
                .findFirst()
                .or(() -> services.stream().filter(s -> isSame(s.word(), word)).findFirst())
                .map(s -> new Service(word, word, s.metrics(), s.headroomBelow()))
                .orElseGet(() -> new Service(word, word, Optional.empty(), Optional.empty()));
    }

    private static boolean isSame(String word, String other) {
        Optional<String> service = RunningJvm.serviceName(word, Optional.empty());
        return service.isPresent()
                && service.equals(RunningJvm.serviceName(other, Optional.empty()));
    }
}
