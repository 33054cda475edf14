package dev.jdyno.lab.planted;

import java.util.List;
import java.util.stream.Collectors;

/// The right answer to a case, and how to run it.
///
/// @param name the case, unique
/// @param bottleneck what a diagnosis must say, a name of docs/bottlenecks.md
/// @param also names that are right too, because the case is both
/// @param where what the place named must contain, case aside; empty when no place is asked for
/// @param concurrency connections of a closed load at which it shows
/// @param jvmArgs arguments that the service's JVM must be started with
/// @param jdkMin oldest JDK on which it shows
/// @param jdkMax newest JDK on which it shows
/// @param needs what the machine or the load must grant beyond a JVM; empty when nothing
/// @param note what is planted, in a sentence
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
    /// Newest JDK there will ever be, for labels that name no newest one.
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

    /// One line of JSON.
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

    /// Labels are plain text of ours: quotes and backslashes are all that needs care.
    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
