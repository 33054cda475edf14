package dev.jdyno.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.judge.ResultVariants;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.thread.PoolQueue;
import dev.jdyno.measure.thread.PoolQueue.Kind;
import dev.jdyno.measure.thread.ThreadLimit;
import dev.jdyno.measure.thread.ThreadReport;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.report.html.HtmlReport;
import dev.jdyno.report.json.ResultJson;
import dev.jdyno.report.terminal.TerminalReport;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Queues of pools, in every form of the report.
class QueueReportTest {
    private static final List<ThreadLimit> LIMITS =
            List.of(new ThreadLimit(ThreadLimit.Kind.CGROUP, 100, 97, 3));

    private static final PoolQueue UNREAD =
            new PoolQueue(
                    "http-nio-#-exec",
                    Kind.THREADS,
                    Optional.of(24.0),
                    Optional.of(18.6),
                    Optional.of(18.3),
                    false,
                    "sockets with an unread request");
    private static final PoolQueue BORROWERS =
            new PoolQueue(
                    "HikariCP",
                    Kind.LENT,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of(15.0),
                    true,
                    "threads found waiting to borrow");
    private static final PoolQueue UNKNOWN =
            new PoolQueue(
                    "pool-2-thread",
                    Kind.THREADS,
                    Optional.of(4.0),
                    Optional.of(4.0),
                    Optional.empty(),
                    false,
                    "an executor's queue is in its own memory");

    private final RunResult result = ResultVariants.withQueues(UNREAD, BORROWERS, UNKNOWN);

    @TempDir Path folder;

    @Test
    void documentKeepsQueues() {
        Path file = folder.resolve("result.json");

        ResultJson.write(result, file);

        assertThat(ResultJson.read(file)).isEqualTo(result);
        assertThat(ResultJson.read(file).census().getFirst().queues())
                .containsExactly(UNREAD, BORROWERS, UNKNOWN);
    }

    @Test
    void pageHasTableOfQueuesWithSource() {
        assertThat(HtmlReport.render(result, List.of()))
                .has(
                        InOrder.of(
                                "id=\"pools\"",
                                "http-nio-#-exec",
                                "18.3",
                                "sockets with an unread request",
                                "HikariCP",
                                "at least",
                                "pool-2-thread",
                                "–",
                                "own memory"));
    }

    /// A JVM has about eighteen idle pools.
    @Test
    void idlePoolsShareOneLine() {
        PoolQueue cleaner = idle("Common-Cleaner", 1);
        PoolQueue utility = idle("Catalina-utility", 2);
        PoolQueue serving = idle("http-nio-#-exec", 24);

        String page =
                HtmlReport.render(
                        ResultVariants.withQueues(BORROWERS, cleaner, serving, utility), List.of());

        assertThat(page)
                .contains(
                        "<summary>3 idle threads of 2 other pools: no thread in them was found"
                                + " working for a request")
                .has(
                        InOrder.of(
                                "<th scope=\"row\" class=\"text\">HikariCP</th>",
                                "<th scope=\"row\" class=\"text\">http-nio-#-exec</th>",
                                "<details>",
                                "<code>Common-Cleaner</code> 1; <code>Catalina-utility</code> 2;"))
                .doesNotContain("<th scope=\"row\" class=\"text\">Common-Cleaner</th>");
        assertThat(HtmlReport.render(result, List.of())).doesNotContain("idle threads of");
    }

    private static PoolQueue idle(String pool, double size) {
        return new PoolQueue(
                pool,
                Kind.THREADS,
                Optional.of(size),
                Optional.of(0.0),
                Optional.of(0.0),
                false,
                "a thread was idle in every dump");
    }

    @Test
    void theTerminalNamesTheLongest() {
        // a wide terminal has space for them
        assertThat(new TerminalReport(false, 120).verdict(result, Optional.empty()))
                .contains(
                        "Queues  18.3 wait for http-nio-#-exec (sockets with an unread request),"
                                + " >=15.0 wait");
    }

    @Test
    void theThreadsOfAJvmAreListedWithTheirQueues() {
        ThreadSamples threadSamples = result.census().getFirst();
        var report =
                new ThreadReport(
                        2,
                        threadSamples,
                        Map.of("RUNNABLE", 3),
                        List.of(),
                        List.of(),
                        List.of(),
                        false,
                        List.of(),
                        List.of());

        String text = ThreadsReport.text(report, "PID 42", 5, LIMITS);

        assertThat(text)
                .has(InOrder.of("Pool", "size", "in use", "idle", "queue"))
                .containsPattern("http-nio-#-exec +24\\.0 +18\\.6 +5\\.4 +18\\.3  serves requests")
                .containsPattern("HikariCP +- +- +- +>=15\\.0  is lent")
                .contains("queue of http-nio-#-exec: sockets with an unread request");
        assertThat(text)
                .contains("room for 3 more threads: pids.max of its control group, 97 of 100");
        assertThat(ThreadsReport.json(report, 42, LIMITS))
                .contains("\"queues\"", "\"length\" : 18.3", "\"kind\" : \"cgroup\"");
    }
}
