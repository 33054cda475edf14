package dev.jdyno.cluster.load;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.jdyno.cluster.Payload;
import dev.jdyno.load.grpc.Schema;
import dev.jdyno.load.pacing.Part;
import dev.jdyno.load.request.Body;
import dev.jdyno.load.request.GrpcCalls;
import dev.jdyno.load.request.GrpcMessages;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.request.LoadSpecBuilder;
import dev.jdyno.load.wire.TlsSettings;
import dev.jdyno.measure.load.HttpUrl;
import dev.jdyno.measure.load.HttpWords;
import dev.jdyno.measure.load.ReplyRules;
import dev.jdyno.measure.load.Until;
import dev.jdyno.measure.load.Workload;
import java.net.URI;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/// The requests that an agent sends while it has the lease. URL, methods and headers come from
/// another process, so they are checked like those of a command line.
///
/// @param lease a number that rises with each load of a group
/// @param index of the agent's part, from 0
/// @param of number of parts
/// @param seed of its random arrivals, a different one for each agent
/// @param body body of the requests, in base64
/// @param until condition for the end of a reply, as in a plan; empty: the server ends it
record Assignment(
        long lease,
        int index,
        int of,
        long seed,
        String url,
        String method,
        List<LoadSpec.Header> headers,
        String body,
        long requestTimeoutMs,
        boolean insecure,
        Optional<Workload> workload,
        Optional<Grpc> grpc,
        boolean chunks,
        Optional<String> until,
        boolean trace) {
    /// Turns the requests into gRPC calls.
    ///
    /// @param descriptors a descriptor set in base64
    /// @param deadlineMs of each call; 0: none
    record Grpc(String descriptors, long deadlineMs, boolean gzip, boolean byCalls, int streams) {
        Grpc {
            if (deadlineMs < 0 || streams < 1 || streams > MAX_STREAMS) {
                throw new IllegalArgumentException("no calls of gRPC");
            }
        }

        private static Grpc of(GrpcCalls calls, int streams) {
            if (!(calls.messages() instanceof Schema schema)) {
                throw new IllegalArgumentException("calls without descriptors");
            }
            return new Grpc(
                    Base64.getEncoder().encodeToString(schema.descriptors()),
                    calls.deadline().map(Duration::toMillis).orElse(0L),
                    calls.gzip(),
                    calls.byCalls(),
                    streams);
        }

        private GrpcCalls calls() {
            return new GrpcCalls(
                    Schema.of(Base64.getDecoder().decode(descriptors)),
                    deadlineMs == 0 ? Optional.empty() : Optional.of(Duration.ofMillis(deadlineMs)),
                    gzip,
                    byCalls);
        }
    }

    /// Maximum size of the descriptors in bytes. In base64 they stay below the longest text of a
    /// payload.
    private static final int MAX_DESCRIPTORS = 10 << 20;

    /// True if the descriptors of these messages are too large to send.
    static boolean isTooLarge(GrpcMessages messages) {
        return messages instanceof Schema schema && schema.descriptors().length > MAX_DESCRIPTORS;
    }

    /// Maximum number of concurrent calls on one connection.
    private static final int MAX_STREAMS = 10_000;

    /// A message can name only these classes, each only in the field of its type.
    static final Payload<Assignment> PAYLOAD =
            Payload.json(
                    Assignment.class,
                    Payload.mapper()
                            .addMixIn(Workload.Check.class, Named.class)
                            .addMixIn(Workload.Take.class, Named.class)
                            .build());

    @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME)
    private interface Named {}

    Assignment {
        headers = List.copyOf(headers);
        URI _ = HttpUrl.parse(url);
        String _ = HttpWords.method(method);
        workload.stream()
                .flatMap(w -> w.journeys().stream())
                .flatMap(j -> j.steps().stream())
                .forEach(Assignment::requireMethods);
        if (lease < 1 || requestTimeoutMs < 1) {
            throw new IllegalArgumentException("no assignment");
        }
        Part _ = new Part(index, of);
        Optional<Until> _ = until.map(Until::parse);
    }

    private static void requireMethods(Workload.Step step) {
        String _ = HttpWords.method(step.method());
        step.poll().map(Workload.Poll::method).ifPresent(HttpWords::method);
    }

    static Assignment of(LoadSpec spec, long lease, Part part, long seed) {
        return new Assignment(
                lease,
                part.index(),
                part.of(),
                seed,
                spec.url().toString(),
                spec.method(),
                spec.headers(),
                Base64.getEncoder().encodeToString(spec.body().shared()),
                spec.requestTimeout().toMillis(),
                spec.tls().insecure(),
                spec.workload().map(Assignment::withoutFile),
                spec.grpc().map(calls -> Grpc.of(calls, spec.streams())),
                spec.replies().chunks(),
                spec.replies().until().map(Until::form),
                spec.replies().trace());
    }

    private static Workload withoutFile(Workload w) {
        return new Workload(
                w.journeys(),
                new Workload.Data(w.data().rows(), w.data().order(), Optional.empty()));
    }

    LoadSpecBuilder spec() {
        LoadSpecBuilder spec =
                LoadSpec.to(URI.create(url))
                        .method(method)
                        .body(Body.of(Base64.getDecoder().decode(body)))
                        .requestTimeout(Duration.ofMillis(requestTimeoutMs))
                        .part(new Part(index, of))
                        .replies(
                                new ReplyRules(
                                        chunks, until.map(Until::parse), trace, Optional.empty()))
                        .tls(new TlsSettings(insecure, Optional.empty()));
        headers.forEach(h -> spec.header(h.name(), h.value()));
        workload.ifPresent(spec::workload);
        grpc.ifPresent(g -> spec.grpc(g.calls(), g.streams()));
        return spec;
    }
}
