package dev.jdyno.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.cluster.key.OwnKey;
import dev.jdyno.measure.text.Problems;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// The keys and tokens that the agent accepts at its start.
class AgentProofTest {
    private static final String KEY = OwnKey.generate().open().toString();

    private final Problems problems = new Problems();

    @TempDir private Path folder;

    private Optional<AgentProof.Opening> opening(String... args) {
        var proof = new AgentProof();
        new CommandLine(proof).parseArgs(args);
        return proof.opening(problems);
    }

    @Test
    void acceptsDuplicateKeyOnce() {
        String own = folder.resolve("own").toString();

        assertThat(opening("--run-key", KEY, "--run-key", KEY, "--own-key", own)).isPresent();
        assertThat(problems.list()).isEmpty();
    }

    @Test
    void eachTextThatIsNoKeyIsAMistake() {
        assertThat(opening("--run-key", KEY + ",nokey,ed25519:x")).isEmpty();
        assertThat(problems.list()).hasSize(2);
    }

    @Test
    void keyAndTokenExcludeEachOther() {
        assertThat(opening()).isEmpty();
        assertThat(opening("--run-key", KEY, "--token-file", "token")).isEmpty();
        assertThat(problems.list()).hasSize(2);
    }
}
