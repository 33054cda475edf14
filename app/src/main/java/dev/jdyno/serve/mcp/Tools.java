package dev.jdyno.serve.mcp;

import dev.jdyno.history.Entry;
import dev.jdyno.history.Kind;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.serve.StoredFile;
import dev.jdyno.serve.StoredResults;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The tools that an assistant can call; `tools.json` describes them. Each answers with one JSON
/// document.
///
/// @param files files that may be read
/// @param verb runs the tools that are verbs of the command line
/// @param loads whether a tool may load a service
/// @param measuring lock of the tools that measure, because two measurements would disturb each
///   other
public record Tools(
        StoredResults stored, Folders files, Verb verb, boolean loads, ReentrantLock measuring) {
    private static final int MAX_RESULTS = 200;
    private static final int RESULTS = 20;
    private static final int MAX_SKIPPED = 1_000_000;
    private static final long MAX_PID = Integer.MAX_VALUE;
    private static final long SHORTEST_S = 3;
    private static final long LONGEST_S = 600;

    /// Maximum number of given paths. A given folder may contain more files.
    private static final int MAX_PATHS = 100;

    /// Exit codes with which a verb printed a result. Code 3 is included: the result itself reports
    /// that it is not valid.
    private static final Set<Integer> ANSWERED = Set.of(0, 3, 4);

    /// Parts of a document that are large and useless without the report: profiles, curves and
    /// tables of threads.
    private static final Set<String> BULKY =
            Set.of("insight", "census", "whatIf", "rounds", "stages", "threads", "layers");

    /// The file that contains a result's document, for each kind of verb.
    private static final String RESULT = "result.json";

    private static final String DIAGNOSIS = "diagnosis.json";
    private static final String GC_LOG = "gc.log";

    public Tools(StoredResults stored, Folders files, Verb verb, boolean loads) {
        this(stored, files, verb, loads, new ReentrantLock());
    }

    /// True if the tool is offered to the assistant.
    boolean offers(String name) {
        return loads || !name.equals("run");
    }

    /// @throws UserError if the tool fails, with the error, its reason and a fix
    String call(String name, Arguments given, Caller caller) {
        return switch (name) {
            case "list_results" ->
                    stored.list(
                            given.text("plan"),
                            given.whole("from", 0, MAX_SKIPPED).orElse(0L).intValue(),
                            given.whole("most", 1, MAX_RESULTS).orElse((long) RESULTS).intValue());
            case "get_result" -> stored.result(given.needed("id"));
            case "trend" ->
                    stored.trend(
                            given.needed("plan"),
                            given.needed("figure"),
                            given.text("verb").flatMap(Kind::of));
            case "compare_results" -> stored.pair(given.needed("a"), given.needed("b")).json();
            case "diagnose" -> diagnose(given, caller);
            case "diagnose_files" -> diagnoseFiles(given, caller);
            case "gc" -> gc(given, caller);
            case "run" -> run(given, caller);
            default ->
                    throw UserError.usage(
                            "there is no tool " + name, "it is not offered", "ask tools/list");
        };
    }

    private String diagnose(Arguments given, Caller caller) {
        given.oneOf("pid", "result");
        Optional<String> id = given.text("result");
        if (id.isPresent()) {
            return brief(kept(stored.entry(id.get())));
        }
        long pid = given.whole("pid", 1, MAX_PID).orElseThrow();
        long seconds = given.whole("seconds", SHORTEST_S, LONGEST_S).orElse(30L);
        return brief(
                alone(
                        List.of(
                                "diagnose",
                                "--json",
                                "--no-metrics",
                                "--duration=" + seconds + "s",
                                "" + pid),
                        caller));
    }

    /// Diagnoses the files of an assistant. Their real paths are absolute, so the command line
    /// cannot read one as an option.
    private String diagnoseFiles(Arguments given, Caller caller) {
        List<String> words = new ArrayList<>(List.of("diagnose", "--json", "--files"));
        given.texts("files", MAX_PATHS).stream()
                .map(f -> files.fileOrFolder("files", f).toString())
                .forEach(words::add);
        return brief(answer(verb.run(words, caller)));
    }

    private static String kept(Entry entry) {
        return StoredFile.text(entry, RESULT)
                .or(() -> StoredFile.text(entry, DIAGNOSIS))
                .orElseThrow(() ->
                        UserError.usage(
                                "result " + entry.id() + " has no diagnosis",
                                "neither "
                                        + RESULT
                                        + " nor "
                                        + DIAGNOSIS
                                        + " is there as it was stored",
                                "ask get_result for its figures"));
    }

    /// Returns the document without data that is useful only as a picture.
    private static String brief(String document) {
        var tree = (ObjectNode) JsonMapper.shared().readTree(document);
        return tree.remove(BULKY).toString();
    }

    private String gc(Arguments given, Caller caller) {
        given.oneOf("file", "result");
        List<String> words = new ArrayList<>(List.of("gc", "--json"));
        given.positive("requestsPerS").ifPresent(q -> words.add("--qps=" + q));
        Optional<String> id = given.text("result");
        words.add(
                id.isPresent()
                        ? StoredFile.path(stored.entry(id.get()), GC_LOG)
                                .orElseThrow(() ->
                                        UserError.usage(
                                                "result " + id.get() + " has no GC log",
                                                "its " + GC_LOG + " is not there as it was stored",
                                                "give file instead"))
                                .toString()
                        : files.file("file", given.needed("file")).toString());
        return answer(verb.run(words, caller));
    }

    private String run(Arguments given, Caller caller) {
        if (!loads) {
            throw UserError.usage(
                    "run is not offered",
                    "it loads a service",
                    "start jdyno mcp with --allow-load");
        }
        String plan = files.file("plan", given.needed("plan")).toString();
        return brief(alone(List.of("run", "--json", plan), caller));
    }

    private String alone(List<String> words, Caller caller) {
        if (!measuring.tryLock()) {
            throw UserError.target(
                    words.getFirst() + " was not begun",
                    "another measurement goes on, and each would disturb the other",
                    "ask again when it has ended");
        }
        try {
            return answer(verb.run(words, caller));
        } finally {
            measuring.unlock();
        }
    }

    private static String answer(Verb.Outcome of) {
        if (!ANSWERED.contains(of.exitCode()) || of.out().isBlank()) {
            throw new VerbFailed(of.err().strip());
        }
        return of.out();
    }

    /// A verb that failed; its message says what, why and how to fix it.
    static final class VerbFailed extends RuntimeException {
        private static final long serialVersionUID = 1;

        VerbFailed(String says) {
            super(says);
        }
    }
}
