package dev.jdyno.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A real git in repositories that the test creates, also hostile ones.
class GitVersionsTest {
    private static final String SUBJECT = "Say \u001b[31m\u001fred\u202e, `$(touch x)` & more";

    @TempDir Path folder;
    private TinyRepository tiny;
    private final List<String> commits = new ArrayList<>();

    @BeforeEach
    void make() throws Exception {
        tiny = new TinyRepository(folder.resolve("shop"));
        commits.add(tiny.commit("First", Map.of("sub/Price.java", "a\nb\nc\n", "x.txt", "1\n")));
        commits.add(tiny.commit(SUBJECT, Map.of("sub/Price.java", "a\nB\nc\nd\n")));
        commits.add(tiny.commit("Break", Map.of("broken", "")));
        tiny.git("rm", "--quiet", "broken");
        commits.add(tiny.commit("Mend", Map.of("x.txt", "2\n")));
        commits.add(tiny.commit("Nothing", Map.of()));
    }

    private Repository repository() throws Exception {
        return Repository.around(tiny.root().resolve("sub")).orElseThrow();
    }

    private GitVersions versions(String build, BooleanSupplier stop) throws Exception {
        Path ours = Files.createDirectories(folder.resolve("out"));
        return new GitVersions(
                repository(),
                repository().between(commits.getFirst(), "main"),
                Optional.of(build),
                Path.of("sub"),
                ours,
                NanoClock.SYSTEM,
                stop);
    }

    private String worktrees() throws Exception {
        return tiny.git("worktree", "list", "--porcelain");
    }

    @Test
    void historyHasCommitsWithUnchangedSubjects() throws Exception {
        List<Revision> between = repository().between(commits.getFirst(), "main");
        assertThat(between).extracting(Revision::hash).isEqualTo(commits);
        assertThat(between.get(1).subject()).isEqualTo(SUBJECT);
        assertThat(between.get(4).tree()).isEqualTo(between.get(3).tree());
        assertThat(between.getFirst().authored()).isBeforeOrEqualTo(between.getLast().authored());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--upload-pack=x",
                "main..main",
                "a b",
                "",
                "-x",
                "main:x",
                "nobody",
                "HEAD@{9}"
            })
    void aNameThatIsNoCommitIsRefused(String name) throws Exception {
        Repository repository = repository();
        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() -> repository.between(commits.getFirst(), name));
    }

    @Test
    void refusesWrongOrderAndEmptyRange() throws Exception {
        Repository repository = repository();
        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() -> repository.between("main", commits.getFirst()));
        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() -> repository.between("main", "main"));
    }

    @Test
    void folderWithoutRepositoryHasNoVersions() throws Exception {
        Path bare = Files.createDirectories(folder.resolve("bare"));
        assertThat(Repository.around(bare)).isEmpty();
    }

    @Test
    void versionIsBuiltOnceAndRemovedAtTheEnd() throws Exception {
        Path count = folder.resolve("count");
        Path made;
        try (GitVersions versions =
                versions("test ! -e ../broken && echo x >> " + count, () -> false)) {
            made = ((Versions.Build.Done) versions.build(0)).folder();
            assertThat(Files.readString(made.resolve("Price.java"))).isEqualTo("a\nb\nc\n");
            assertThat(versions.isBuilt(0)).isTrue();
            assertThat(versions.isBuilt(3)).isFalse();
            assertThat(versions.build(0)).isEqualTo(new Versions.Build.Done(made));
            assertThat(versions.build(2)).isInstanceOf(Versions.Build.Failed.class);
            assertThat(versions.build(2)).isInstanceOf(Versions.Build.Failed.class);
            assertThat(versions.build(3)).isInstanceOf(Versions.Build.Done.class);
            assertThat(versions.isBuilt(4)).as("the same files").isTrue();
            assertThat(versions.build(4)).isInstanceOf(Versions.Build.Done.class);
            assertThat(Files.readAllLines(count)).hasSize(2);
            assertThat(worktrees().split("worktree ")).hasSize(1 + 1 + 3);
        }
        assertThat(made).doesNotExist();
        assertThat(worktrees().split("worktree ")).hasSize(1 + 1);
    }

    @Test
    void aFolderThatAVersionDoesNotHaveIsNoBuild() throws Exception {
        tiny.git("rm", "--quiet", "-r", "sub");
        commits.add(tiny.commit("Take away", Map.of("y.txt", "")));
        try (GitVersions versions =
                new GitVersions(
                        Repository.around(tiny.root()).orElseThrow(),
                        Repository.around(tiny.root())
                                .orElseThrow()
                                .between(commits.getFirst(), "main"),
                        Optional.empty(),
                        Path.of("sub"),
                        Files.createDirectories(folder.resolve("out")),
                        NanoClock.SYSTEM,
                        () -> false)) {
            assertThat(versions.build(5)).isInstanceOf(Versions.Build.Failed.class);
            assertThat(versions.build(4)).isInstanceOf(Versions.Build.Done.class);
        }
    }

    @Test
    void stoppedBuildEndsItsProcesses() throws Exception {
        Path pid = folder.resolve("pid");
        try (GitVersions versions =
                versions(
                        "sleep 300 & echo $! > " + pid + "; wait",
                        () -> pid.toFile().length() > 0)) {
            assertThat(versions.build(0)).isEqualTo(new Versions.Build.Stopped());
        }
        long started = Long.parseLong(Files.readString(pid).strip());
        Optional<ProcessHandle> left = ProcessHandle.of(started);
        if (left.isPresent()) {
            // the kernel removes a killed process shortly after the signal
            assertThat(left.get().onExit().get(1, TimeUnit.MINUTES)).isNotNull();
        }
        assertThat(worktrees().split("worktree ")).hasSize(1 + 1);
    }

    @Test
    void removesRemainsOfKilledSearch() throws Exception {
        Path there = folder.resolve("out/worktrees");
        Files.createDirectories(there.resolve("half/of"));
        Files.writeString(there.resolve("half/of/it"), "x");
        tiny.git("worktree", "add", "--detach", there.resolve("left").toString(), "main");
        tiny.git("worktree", "lock", there.resolve("left").toString());
        try (GitVersions versions = versions("true", () -> false)) {
            assertThat(versions.build(1)).isInstanceOf(Versions.Build.Done.class);
        }
        assertThat(there).isEmptyDirectory();
        assertThat(worktrees().split("worktree ")).hasSize(1 + 1);
    }

    @Test
    void readsChangedLinesOfTheFileOfAMethod() throws Exception {
        try (GitVersions versions = versions("true", () -> false)) {
            Versions.Diff diff =
                    versions.diff(0, 1, List.of("com.acme.sub.Price$Tax.of", "java.lang.X.y"));
            assertThat(diff.files()).containsExactly("sub/Price.java");
            assertThat(diff.lines()).hasSize(1);
            assertThat(diff.lines().getFirst().lines())
                    .filteredOn(l -> !l.startsWith("@@"))
                    .containsExactly("-b", "+B", "+d");
            assertThat(versions.diff(1, 3, List.of("sub.Price.of")).lines()).isEmpty();
        }
    }

    /// No program that the repository's configuration names is started.
    @Test
    void runsNoProgramOfHostileRepository() throws Exception {
        Path ran = folder.resolve("ran");
        String program = "touch " + ran + "; cat";
        Path hooks = Files.createDirectories(tiny.root().resolve(".git/evil"));
        for (String hook : List.of("post-checkout", "reference-transaction", "post-index-change")) {
            Files.writeString(hooks.resolve(hook), "#!/bin/sh\n" + program + "\n");
            assertThat(hooks.resolve(hook).toFile().setExecutable(true)).isTrue();
        }
        tiny.git("config", "core.hooksPath", hooks.toString());
        tiny.git("config", "core.fsmonitor", program);
        tiny.git("config", "core.pager", program);
        tiny.git("config", "pager.log", program);
        tiny.git("config", "pager.diff", program);
        tiny.git("config", "diff.external", program);
        tiny.git("config", "diff.evil.textconv", program);
        tiny.git("config", "diff.evil.command", program);
        tiny.git("config", "gpg.program", program);
        tiny.git("config", "log.showSignature", "true");
        tiny.git("config", "log.mailmap", "true");
        Files.writeString(tiny.root().resolve(".git/info/attributes"), "* diff=evil\n");
        Files.deleteIfExists(ran);
        try (GitVersions versions = versions("true", () -> false)) {
            assertThat(versions.build(1)).isInstanceOf(Versions.Build.Done.class);
            assertThat(versions.diff(0, 1, List.of("sub.Price.of")).lines()).hasSize(1);
        }
        assertThat(ran).doesNotExist();
    }

    @Test
    void refusesFiltersOfRepositoryConfiguration() throws Exception {
        tiny.git("config", "filter.evil.smudge", "touch " + folder.resolve("ran"));
        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() -> versions("true", () -> false).close());
        assertThat(folder.resolve("ran")).doesNotExist();
    }
}
