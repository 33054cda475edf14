package dev.jdyno.observe.stacks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.Profile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class StackTreeTest {
    @Test
    void mergesCommonFramesAndListsWidestFirst() {
        var tree = new StackTree();
        tree.add("http", List.of("run", "get"), 1);
        tree.add("http", List.of("run", "post"), 3);
        tree.add("http", List.of("run"), 2);

        Profile.Node http =
                tree.profile(Profile.Kind.CPU, "test", 0.5).root().children().getFirst();

        assertThat(http.samples()).isEqualTo(6);
        Profile.Node run = http.children().getFirst();
        assertThat(run.children()).extracting(Profile.Node::frame).containsExactly("post", "get");
        assertThat(run.self()).isEqualTo(2);
    }

    @Test
    void branchesTooThinToSeeAreCutAndCounted() {
        var tree = new StackTree();
        tree.add("http", List.of("wide"), 10_000);
        tree.add("http", List.of("thin"), 1);

        Profile profile = tree.profile(Profile.Kind.WALL, "test", 1);

        Profile.Node http = profile.root().children().getFirst();
        assertThat(http.children()).extracting(Profile.Node::frame).containsExactly("wide");
        assertThat(http.self()).isEqualTo(1);
        assertThat(profile.pruned()).isEqualTo(1);
    }

    /// The middle frames of a recursion carry the least information.
    @Test
    void omitsAndCountsMiddleOfDeepStack() {
        List<String> frames = new ArrayList<>(Collections.nCopies(100_000, "again"));
        frames.set(0, "outermost");
        frames.set(99_999, "innermost");
        var tree = new StackTree();
        tree.add("http", frames, 1);

        List<String> kept = new ArrayList<>();
        Profile.Node at = tree.profile(Profile.Kind.CPU, "test", 1).root().children().getFirst();
        while (!at.children().isEmpty()) {
            at = at.children().getFirst();
            kept.add(at.frame());
        }

        assertThat(kept)
                .hasSize(StackTree.DEEPEST)
                .startsWith("outermost")
                .contains("[" + (100_000 - StackTree.DEEPEST + 1) + " frames left out]")
                .endsWith("innermost");
    }

    @Test
    void keepsDeepestAllowedStackWhole() {
        var tree = new StackTree();
        tree.add("http", Collections.nCopies(StackTree.DEEPEST, "again"), 1);

        Profile.Node at = tree.profile(Profile.Kind.CPU, "test", 1).root().children().getFirst();
        while (!at.children().isEmpty()) {
            at = at.children().getFirst();
            assertThat(at.frame()).isEqualTo("again");
        }
    }
}
