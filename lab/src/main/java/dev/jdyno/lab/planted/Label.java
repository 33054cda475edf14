package dev.jdyno.lab.planted;

import java.util.List;
import java.util.stream.Collectors;

/// The correct answer to a case, and how to run it.
///
/// @param name unique name of the case
/// @param bottleneck the correct answer of a diagnosis, a name of docs/bottlenecks.md
/// @param also further correct names, if more than one name describes the case
/// @param where text that the named place must contain, ignoring case; empty if the place does not
///   count
/// @param concurrency connections of a closed load at which the bottleneck shows
/// @param jvmArgs arguments with which the service's JVM must be started
/// @param jdkMin oldest JDK on which the bottleneck shows
/// @param jdkMax newest JDK on which the bottleneck shows
/// @param needs what the machine or the load must provide beyond a JVM; empty if nothing
/// @param note the planted problem, in a sentence
record Label(
        String name,
        String bottleneck,
        List<String> also,
        String where,
        int concurrency,
        List<String> jvmArgs,
        int jdkMin,
        int jdkMax,
        String needs,
        String note) {
    /// Upper limit for labels without a newest JDK.
    private static final int ANY_LATER = 999;

    static Label of(String name, String bottleneck, int concurrency, String where, String note) {
        return new Label(
                name,
                bottleneck,
                List.of(),
                where,
                concurrency,
                List.of(),
                17,
                ANY_LATER,
                "",
                note);
    }

    Label also(String... names) {
        return new Label(
                name,
                bottleneck,
                List.of(names),
                where,
                concurrency,
                jvmArgs,
                jdkMin,
                jdkMax,
                needs,
                note);
    }

    Label jvm(String... args) {
        return new Label(
                name,
                bottleneck,
                also,
                where,
                concurrency,
                List.of(args),
                jdkMin,
                jdkMax,
                needs,
                note);
    }

    Label jdk(int oldest, int newest) {
        return new Label(
                name, bottleneck, also, where, concurrency, jvmArgs, oldest, newest, needs, note);
    }

    Label jdkFrom(int oldest) {
        return jdk(oldest, ANY_LATER);
    }

    Label needs(String what) {
        return new Label(
                name, bottleneck, also, where, concurrency, jvmArgs, jdkMin, jdkMax, what, note);
    }

    /// Returns the label as one line of JSON.
    String json() {
        return "{\"case\":%s,\"bottleneck\":%s,\"also\":%s,\"whereContains\":%s,\"concurrency\":%d,\"jvmArgs\":%s,\"jdkMin\":%d,\"jdkMax\":%d,\"needs\":%s,\"note\":%s}"
                .formatted(
                        quoted(name),
                        quoted(bottleneck),
                        quoted(also),
                        quoted(where),
                        concurrency,
                        quoted(jvmArgs),
                        jdkMin,
                        jdkMax,
                        quoted(needs),
                        quoted(note));
    }

    private static String quoted(List<String> texts) {
        return texts.stream().map(Label::quoted).collect(Collectors.joining(",", "[", "]"));
    }

    /// Quotes a text. Labels contain only our own plain text, so quotes and backslashes suffice.
    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
