package dev.jdyno.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Profile;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class StackTreeTest {
    @Test
    void stacksShareTheirCommonFramesAndTheWidestComesFirst() {
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

    @Test
    void stacksWithoutEndAreCutOff() {
        var tree = new StackTree();
        tree.add("http", Collections.nCopies(100_000, "again"), 1);

        int depth = 0;
        Profile.Node at = tree.profile(Profile.Kind.CPU, "test", 1).root();
        while (!at.children().isEmpty()) {
            at = at.children().getFirst();
            depth++;
        }

        assertThat(depth).isEqualTo(1 + StackTree.DEEPEST);
    }
}
