package dev.jdyno.history;

import dev.jdyno.measure.verdict.Bottleneck;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Builds a stored result part by part. Parts that a test does not set have plain values.
public final class EntryFixture {
    private final String id;
    private final Kind kind;
    private final String plan;
    private final Instant at;
    private Optional<String> label = Optional.empty();
    private double seconds = 100;
    private Optional<Commit> code = Optional.empty();
    private Entry.Environment environment =
            new Entry.Environment("host", 2, "cpu", "Linux 6", Optional.of("25"), List.of());
    private String verdict = "ok";
    private Optional<Bottleneck> bottleneck = Optional.of(Bottleneck.CPU);
    private Optional<String> folder = Optional.empty();
    private String commandLine;
    private List<Entry.Figure> figures = List.of();
    private List<Entry.Part> parts = List.of();
    private List<Entry.Artifact> artifacts = List.of();

    public EntryFixture(String id, Kind kind, String plan, Instant at) {
        this.id = id;
        this.kind = kind;
        this.plan = plan;
        this.at = at;
        this.commandLine = "jdyno " + kind.key() + " " + plan + ".yaml";
    }

    public EntryFixture label(Optional<String> text) {
        label = text;
        return this;
    }

    public EntryFixture seconds(double took) {
        seconds = took;
        return this;
    }

    public EntryFixture code(Optional<Commit> commit) {
        code = commit;
        return this;
    }

    public EntryFixture environment(Entry.Environment where) {
        environment = where;
        return this;
    }

    public EntryFixture verdict(String name) {
        verdict = name;
        return this;
    }

    public EntryFixture bottleneck(Optional<Bottleneck> limit) {
        bottleneck = limit;
        return this;
    }

    public EntryFixture folder(Optional<String> path) {
        folder = path;
        return this;
    }

    public EntryFixture commandLine(String line) {
        commandLine = line;
        return this;
    }

    public EntryFixture figures(List<Entry.Figure> all) {
        figures = all;
        return this;
    }

    public EntryFixture parts(List<Entry.Part> all) {
        parts = all;
        return this;
    }

    public EntryFixture artifacts(List<Entry.Artifact> all) {
        artifacts = all;
        return this;
    }

    public Entry entry() {
        return new Entry(
                new Entry.Row(
                        id,
                        kind,
                        plan,
                        label,
                        at,
                        seconds,
                        code.map(Commit::hash),
                        code.flatMap(Commit::branch),
                        environment,
                        verdict,
                        bottleneck,
                        true,
                        folder,
                        commandLine),
                figures,
                parts,
                artifacts);
    }
}
