package dev.jdyno.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.cluster.up.UpFile;
import dev.jdyno.cluster.up.UserProgram;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Reads a pod from the output of `kubectl`, which may have any content.
class PodTest {
    private static final String JOB = "jdyno-0123456789abcdef";
    private static final String READY =
            """
            {"metadata": {"name": "p0", "annotations": {"batch.kubernetes.io/job-completion-index": "0"},
              "ownerReferences": [{"kind": "Job", "name": "jdyno-0123456789abcdef"}]},
             "status": {"phase": "Running", "podIP": "10.1.2.3", "conditions": [{"type": "Ready", "status": "True"}]}}
            """;

    @TempDir private Path folder;

    private static Collection<Pod> pods(String pod) {
        return Pod.of(FakeCluster.JSON.readTree("{\"items\": [" + pod + "]}"), JOB, 2);
    }

    @Test
    void aPodOfTheJobWithAnAddressIsReady() {
        assertThat(pods(READY))
                .containsExactly(
                        new Pod(
                                0,
                                "p0",
                                Pod.State.READY,
                                Optional.of("10.1.2.3"),
                                "",
                                Pod.Cause.OTHER));
        assertThat(pods(READY + "," + READY.replace("10.1.2.3", "fd00::1"))).hasSize(1);
    }

    /// @param change `WHAT -> INSTEAD` in the pod above
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"kind\": \"Job\" -> \"kind\": \"ReplicaSet\"",
                "0123456789abcdef -> fedcba9876543210",
                "index\": \"0\" -> index\": \"2\"",
                "index\": \"0\" -> index\": \"-1\"",
                "index\": \"0\" -> index\": \"99999999999\"",
                "index\": \"0\" -> index\": \"٠\"",
                "\"p0\" -> \"--all\"",
                "\"p0\" -> \"p0/../x\"",
                "\"name\": \"p0\" -> \"name\": {\"a\": 1}",
                "\"name\": \"p0\", -> \"name\": \"p0\", \"deletionTimestamp\": \"2026-11-29T10:00:00Z\",",
            })
    void ignoresForeignPod(String change) {
        String[] words = change.split(" -> ");
        assertThat(READY).contains(words[0]);
        assertThat(pods(READY.replace(words[0], words[1]))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.1.2.3 -> ",
                "10.1.2.3 -> evil.example.org",
                "10.1.2.3 -> 10.1.2.3 --x",
                "10.1.2.3 -> fade.be",
                "10.1.2.3 -> ..",
                "10.1.2.3 -> 10.1.2",
                "10.1.2.3 -> 10",
                "10.1.2.3 -> 10.1.2.256",
                "10.1.2.3 -> :",
                "10.1.2.3 -> fe80::1%lo",
                "\"True\" -> \"False\"",
                "\"True\" -> true",
                "\"Ready\" -> \"PodScheduled\"",
            })
    void podWithoutAddressIsNotReady(String change) {
        String[] words = change.split(" -> ", -1);
        assertThat(READY).contains(words[0]);
        assertThat(pods(READY.replace(words[0], words[1])))
                .singleElement()
                .satisfies(p -> assertThat(p.state()).isEqualTo(Pod.State.WAITS))
                .satisfies(p -> assertThat(p.address()).isEmpty());
    }

    /// The kubelet repeats a pull once before it waits.
    @ParameterizedTest
    @CsvSource({
        "ContainerCreating, WAITS, OTHER",
        "ErrImagePull, WAITS, IMAGE",
        "ImagePullBackOff, FAILED, IMAGE",
        "InvalidImageName, FAILED, IMAGE",
        "ErrImageNeverPull, FAILED, IMAGE",
        "CreateContainerConfigError, FAILED, OTHER"
    })
    void aPodWaitsUnlessTimeCannotHelp(String reason, Pod.State state, Pod.Cause cause) {
        assertThat(pods(waits(reason, "why")))
                .containsExactly(
                        new Pod(0, "p0", state, Optional.empty(), reason + ": why", cause));
    }

    /// The text of a message is not standardised and may mention an image.
    @Test
    void recognisesMissingImageOnlyByReason() {
        assertThat(pods(waits("CreateContainerError", "ErrImagePull of the Image")))
                .singleElement()
                .satisfies(p -> assertThat(p.cause()).isEqualTo(Pod.Cause.OTHER));
        assertThat(pods(waits("ErrImagePullOfAnotherKind", "why")))
                .singleElement()
                .satisfies(p -> assertThat(p.cause()).isEqualTo(Pod.Cause.OTHER));
    }

    private static String waits(String reason, String message) {
        return READY.replace("Running", "Pending")
                .replace("\"True\"", "\"False\"")
                .replace(
                        "\"podIP\"",
                        "\"containerStatuses\": [{\"state\": {\"waiting\": {\"reason\": \""
                                + reason
                                + "\", \"message\": \""
                                + message
                                + "\"}}}], \"podIP\"");
    }

    @Test
    void aReasonIsOneLineOfBoundedLength() {
        String reason = Pod.sentence("Error", "first\n\u001b[31msecond" + "x".repeat(100_000));

        assertThat(reason).startsWith("Error: first [31msecond").hasSizeLessThan(500);
        assertThat(Pod.sentence("", "why")).isEqualTo("why");
        assertThat(Pod.sentence("why", "")).isEqualTo("why");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "[", "{}{", "null", "{\"items\": 3}", "{\"items\": [[1], null, 2]}"})
    void unexpectedAnswerGivesNoPod(String text) {
        Kubectl kubectl = answers(new UserProgram.Answer(0, text, "", true, Optional.empty()));
        try {
            assertThat(Pod.of(kubectl.get("look", List.of("pods")), JOB, 2)).isEmpty();
        } catch (UserError refused) {
            assertThat(refused.kind()).isEqualTo(UserError.Kind.TARGET);
        }
    }

    @Test
    void anAnswerThatIsCutOffIsNotRead() {
        Kubectl kubectl =
                answers(new UserProgram.Answer(0, "{\"items\": []}", "", false, Optional.empty()));

        assertThatThrownBy(() -> kubectl.get("look", List.of("pods")))
                .isInstanceOf(UserError.class);
    }

    /// Warnings explain why pods are missing. Waiting must not end because they cannot be read.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "0 | true  | [",
                "0 | true  | no JSON",
                "0 | true  | {\"items\": 3}",
                "0 | true  | {\"items\": [[1], null, {\"type\": {\"a\": 1}}]}",
                "0 | false | {\"items\": [{\"type\": \"Warning\", \"reason\": \"cut\"}]}",
                "1 | true  | {\"items\": [{\"type\": \"Warning\", \"reason\": \"forbidden\"}]}"
            })
    void ignoresUnreadableWarnings(int code, boolean whole, String text) {
        Kubectl kubectl = answers(new UserProgram.Answer(code, text, "", whole, Optional.empty()));

        assertThat(kubectl.warnings("p0")).isEmpty();
    }

    @Test
    void theNewestWarningIsTheFirst() {
        String list =
                """
                {"items": [
                  {"type": "Warning", "reason": "b", "lastTimestamp": "2026-11-29T10:00:02Z"},
                  {"type": "Warning", "reason": "d", "eventTime": "2026-11-29T10:00:04.000001Z", "lastTimestamp": null},
                  {"type": "Normal", "reason": "x", "lastTimestamp": "2026-11-29T10:00:05Z"},
                  {"type": "Warning", "reason": "none", "lastTimestamp": "yesterday"},
                  {"type": "Warning", "reason": "c", "lastTimestamp": "2026-11-29T10:00:03Z"},
                  {"type": "Warning", "reason": "a", "lastTimestamp": "2026-11-29T10:00:01Z"}]}
                """;
        Kubectl kubectl = answers(new UserProgram.Answer(0, list, "", true, Optional.empty()));

        assertThat(kubectl.warnings("p0")).containsExactly("d", "c", "b", "a", "none");
    }

    @Test
    void limitsLengthOfProgramOutput() {
        var answer =
                new UserProgram.Answer(
                        1, "", "first\n" + "x".repeat(100_000) + "\n", true, Optional.empty());

        assertThat(answer.lastError()).startsWith("xxx").hasSizeLessThan(320);
    }

    /// The API gives no clear answer to the question whether an action is allowed.
    @Test
    void onlyNoIsADenial() {
        assertThat(
                        answers(
                                        new UserProgram.Answer(
                                                1, "no - by policy\n", "", true, Optional.empty()))
                                .may("x", "y"))
                .isFalse();
        var broken =
                answers(
                        new UserProgram.Answer(
                                1, "", "Unable to connect\n", true, Optional.empty()));
        assertThatThrownBy(() -> broken.may("x", "y")).isInstanceOf(UserError.class);
    }

    private static Kubectl answers(UserProgram.Answer answer) {
        return new Kubectl((_, _) -> answer, "c", "https://s", "n");
    }

    @Test
    void readsPodsAsWritten() {
        var file = UpFile.beside(folder.resolve("run.key"));
        var placed =
                new Placed(
                        "arn:aws:eks:eu:1:cluster/a b",
                        "https://a.example.org:6443",
                        "load",
                        "0123456789abcdef",
                        1000);
        file.begin(placed.text());

        assertThat(Placed.read(file)).isEqualTo(placed);
        assertThatThrownBy(() -> file.begin(placed.text())).isInstanceOf(UserError.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "other/1\nc\nn\n0123456789abcdef 1\n",
                "jdyno-agents-kubernetes/1\nc\ns\nn\n0123456789abcdef\n",
                "jdyno-agents-kubernetes/1\nc\ns\nn\n0123456789abcdef 0\n",
                "jdyno-agents-kubernetes/1\nc\ns\n--all-namespaces\n0123456789abcdef 1\n",
                "jdyno-agents-kubernetes/1\nc\ns\nn\nx,y 1\n",
                "jdyno-agents-kubernetes/1\nc\ns\nn\n0123456789abcdef 1\nmore\n",
                "jdyno-agents-kubernetes/1\nc\nn\n0123456789abcdef 1\n",
                "jdyno-agents-kubernetes/1\nc\u001b[2J\ns\nn\n0123456789abcdef 1\n",
                "jdyno-agents-kubernetes/1\nc\ns\u001b[2J\nn\n0123456789abcdef 1\n"
            })
    void aForeignFileIsRefused(String text) throws IOException {
        Path path = Files.writeString(folder.resolve("run.key.up"), text);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));

        assertThatThrownBy(() -> Placed.read(new UpFile(path))).isInstanceOf(UserError.class);
    }
}
