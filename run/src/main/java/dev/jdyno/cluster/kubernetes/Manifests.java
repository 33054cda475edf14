package dev.jdyno.cluster.kubernetes;

import dev.jdyno.cluster.key.OwnKey;
import dev.jdyno.cluster.key.PeerKey;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/// The objects of a run in the form that `kubectl create` takes: a Secret with the private key of
/// each agent, a headless Service that gives each pod a name, and an Indexed Job of the pods.
///
/// Each pod mounts its own key only. The pods comply with the Pod Security Standard `restricted`.
/// Values are written as JSON strings, which YAML always reads as texts.
final class Manifests {
    /// Port of each agent.
    static final int PORT = 4711;

    private static final JsonMapper QUOTES = JsonMapper.builder().build();
    private static final String KEY_FILE = "/etc/jdyno/agent.key";

    /// Seconds for which the cluster keeps the Job and the logs of its pods after their end.
    private static final int KEPT_SECONDS = 3600;

    @SuppressWarnings("InlineFormatString") // a file of its own shape
    private static final String JOB =
            """
            ---
            apiVersion: batch/v1
            kind: Job
            %1$s
            spec:
              completionMode: Indexed
              completions: %2$d
              parallelism: %2$d
              # a pod that takes the place of a failed one would have another address
              backoffLimit: 0
              activeDeadlineSeconds: %11$d
              ttlSecondsAfterFinished: %12$d
              template:
                metadata:
                  labels: %3$s
                spec:
                  restartPolicy: Never
                  subdomain: jdyno-%4$s
                  automountServiceAccountToken: false
                  enableServiceLinks: false
                  # an agent ends within 30 s
                  terminationGracePeriodSeconds: 40
                  securityContext:
                    runAsNonRoot: true
                    runAsUser: 65532
                    runAsGroup: 65532
                    fsGroup: 65532
                    seccompProfile: {type: RuntimeDefault}
                  topologySpreadConstraints:
                    - maxSkew: 1
                      topologyKey: kubernetes.io/hostname
                      whenUnsatisfiable: ScheduleAnyway
                      labelSelector:
                        matchLabels: {%5$s: %6$s}
                  containers:
                    - name: agent
                      image: %7$s
                      args:
            %8$s
                      env:
                        - name: POD_IP
                          valueFrom: {fieldRef: {fieldPath: status.podIP}}
                        - name: POD_INDEX
                          valueFrom: {fieldRef: {fieldPath: "metadata.annotations['batch.kubernetes.io/job-completion-index']"}}
                      ports:
                        - {name: agent, containerPort: %9$d}
                      startupProbe:
                        tcpSocket: {port: agent}
                        periodSeconds: 1
                        failureThreshold: 120
                      resources:
                        requests: {cpu: "1", memory: 512Mi}
                      securityContext:
                        allowPrivilegeEscalation: false
                        capabilities: {drop: [ALL]}
                      volumeMounts:
                        - {name: key, mountPath: %10$s, subPathExpr: "$(POD_INDEX)", readOnly: true}
                  volumes:
                    - name: key
                      # mode 0440
                      secret: {secretName: jdyno-%4$s, defaultMode: 288}
            """;

    private Manifests() {}

    /// @param namespace namespace of the objects; empty for that of the command
    /// @param id value of the label
    /// @param runKey the run's public key
    /// @param keys private keys of the agents, in their order
    static String text(
            WantedPods wanted,
            Optional<String> namespace,
            String id,
            String runKey,
            List<String> keys) {
        String metadata = metadata(namespace, id);
        return secret(metadata, keys)
                + service(metadata, id)
                + job(metadata, id, wanted, arguments(wanted, runKey));
    }

    /// The objects for {@link #text} of real agents.
    static String text(WantedPods wanted, Placed placed, PeerKey runKey, List<OwnKey> keys) {
        return text(
                wanted,
                Optional.of(placed.namespace()),
                placed.id(),
                runKey.text(),
                keys.stream().map(OwnKey::pem).toList());
    }

    private static List<String> arguments(WantedPods wanted, String runKey) {
        return Stream.concat(
                        Stream.of(
                                "agent",
                                // the kubelet puts the address in
                                "--listen=$(POD_IP):" + PORT,
                                "--run-key=" + runKey,
                                "--own-key=" + KEY_FILE),
                        // the kubelet makes $ of $$, and so expands nothing that the user wrote
                        wanted.allow().stream().map(a -> "--allow=" + a.replace("$", "$$")))
                .toList();
    }

    private static String metadata(Optional<String> namespace, String id) {
        return "metadata:\n  name: jdyno-"
                + id
                + "\n"
                + namespace.map(n -> "  namespace: " + quoted(n) + "\n").orElse("")
                + "  labels: "
                + labels(id);
    }

    private static String labels(String id) {
        return "{app.kubernetes.io/name: jdyno-agent, " + Placed.LABEL + ": " + quoted(id) + "}";
    }

    private static String secret(String metadata, List<String> keys) {
        return """
        ---
        apiVersion: v1
        kind: Secret
        %s
        type: Opaque
        immutable: true
        stringData:
        %s
        """
                .formatted(
                        metadata,
                        IntStream.range(0, keys.size())
                                .mapToObj(
                                        i -> "  \"" + i + "\": |\n" + keys.get(i).strip().indent(4))
                                .collect(Collectors.joining())
                                .stripTrailing());
    }

    private static String service(String metadata, String id) {
        return """
        ---
        apiVersion: v1
        kind: Service
        %s
        spec:
          clusterIP: None
          publishNotReadyAddresses: true
          selector: {%s: %s}
          ports:
            - {name: agent, port: %d}
        """
                .formatted(metadata, Placed.LABEL, quoted(id), PORT);
    }

    private static String job(
            String metadata, String id, WantedPods wanted, List<String> arguments) {
        return JOB.formatted(
                metadata,
                wanted.count(),
                labels(id),
                id,
                Placed.LABEL,
                quoted(id),
                quoted(wanted.image()),
                arguments.stream()
                        .map(a -> "            - " + quoted(a))
                        .collect(Collectors.joining("\n")),
                PORT,
                KEY_FILE,
                wanted.life().toSeconds(),
                KEPT_SECONDS);
    }

    private static String quoted(String text) {
        return QUOTES.writeValueAsString(text);
    }
}
