package dev.jdyno.judge;

import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Unseen;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Library;
import dev.jdyno.measure.thread.LogPart;
import dev.jdyno.measure.thread.LoggingCost;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.thread.SourceLine;
import java.util.List;
import java.util.Optional;

/// An insight with one entry of each instrument.
public final class InsightFixture {
    private InsightFixture() {}

    public static Insight insight() {
        var root =
                new Profile.Node(
                        "all",
                        10,
                        List.of(
                                new Profile.Node(
                                        "http-nio-exec",
                                        10,
                                        List.of(
                                                new Profile.Node(
                                                        "dev.jdyno.lab.CpuBurner.burn",
                                                        7,
                                                        List.of())))));
        return new Insight(
                List.of(new Profile(Profile.Kind.CPU, "async-profiler", 40, 175, 0.0025, 2, root)),
                List.of(StagesFixture.counted()),
                List.of(new Insight.Grown(Profile.Kind.CPU, "com.acme.Foo.spin", 0.1, 2.5)),
                List.of(new LoggingCost("logback.xml", LogPart.FLUSH, "dear", "cheaper")),
                List.of(
                        new Insight.Wait(
                                40,
                                Cause.DISK,
                                "/data/x",
                                12,
                                3.5,
                                Optional.of(new Insight.WaitLength(7.2, 0.8)))),
                List.of(new Insight.Grown(Profile.Kind.WALL, "com.acme.Foo.wait", 1, 4)),
                List.of(
                        new Insight.Allocation(
                                40, "byte[]", "com.acme.Foo.render", 31, 0.62, 12_345)),
                List.of(
                        new Insight.Thrown(
                                40,
                                "com.acme.NotFound",
                                "com.acme.Foo.find",
                                420,
                                0.84,
                                1764,
                                10.08)),
                List.of(
                        new Insight.Pinned(
                                40,
                                "java.lang.Thread.sleep in com.acme.Foo.wait",
                                Insight.Pinned.By.NATIVE_FRAME,
                                "Native or VM frame on stack: com.acme.Lib.call",
                                310,
                                1.75,
                                10)),
                List.of(new Unseen("async-profiler", "not loaded")),
                List.of(new SourceLine("com.acme.Foo.spin", Optional.of("Foo.java"), 57, 9)),
                List.of(new Library("Tomcat", List.of("org.apache.coyote.Adapter.service"))));
    }
}
