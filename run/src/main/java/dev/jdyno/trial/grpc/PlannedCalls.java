package dev.jdyno.trial.grpc;

import dev.jdyno.load.grpc.Calling;
import dev.jdyno.load.grpc.Reflection;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.load.GrpcUrl;
import dev.jdyno.measure.load.HttpUrl;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.GrpcTerms;
import dev.jdyno.plan.Plan;
import dev.jdyno.target.Target;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.TimeUnit;

/// The calls of a plan whose URL is one of gRPC. Without a descriptor set, the server's reflection
/// is asked. A service that the plan launches has to start first.
public final class PlannedCalls {
    private static final long AGAIN_MS = 200;

    private PlannedCalls() {}

    /// True if requests of the plan are calls that this process or agents send.
    private static boolean calls(Plan plan) {
        return GrpcUrl.is(plan.url().toString()) && plan.drive().isEmpty();
    }

    /// The URL to which the requests of a plan go.
    public static URI url(Plan plan) {
        return GrpcUrl.is(plan.url().toString()) ? GrpcUrl.http(plan.url().toString()) : plan.url();
    }

    private static boolean waitsForLaunch(Plan plan) {
        return calls(plan)
                && plan.request().grpc().proto().isEmpty()
                && plan.target() instanceof Plan.TargetPlan.Launch;
    }

    /// The load with the calls that can be resolved before the target has started.
    ///
    /// @throws UserError of kind usage if agents need methods that only a launched service knows,
    ///   and for mistakes in method or message
    public static LoadSpec early(Plan plan, LoadSpec requests, NanoClock clock) {
        if (waitsForLaunch(plan) && plan.agents().isPresent()) {
            throw UserError.usage(
                    "agents cannot be prepared before the service is launched",
                    "its methods are known by its reflection, which answers after the launch",
                    Reflection.DESCRIPTOR_SET);
        }
        return calls(plan) && !waitsForLaunch(plan) ? calling(plan, requests, clock) : requests;
    }

    /// Returns the load after the target has started. Waits until a launched target answers.
    ///
    /// @param early the result of {@link #early}
    public static LoadSpec late(Plan plan, LoadSpec early, Target launched, NanoClock clock)
            throws InterruptedException {
        if (!waitsForLaunch(plan)) {
            return early;
        }
        long end = clock.nanos() + plan.limits().startTimeout().toNanos();
        launched.awaitPort(
                new InetSocketAddress(
                        HttpUrl.host(plan.url()).orElse("127.0.0.1"), HttpUrl.port(plan.url())),
                plan.limits().startTimeout());
        while (true) {
            try {
                return calling(plan, early, clock);
            } catch (UserError notYet) {
                if (notYet.kind() != UserError.Kind.TARGET || clock.nanos() > end) {
                    throw notYet;
                }
                TimeUnit.MILLISECONDS.sleep(AGAIN_MS);
            }
        }
    }

    private static LoadSpec calling(Plan plan, LoadSpec requests, NanoClock clock) {
        GrpcTerms terms = plan.request().grpc();
        return new Calling(terms.proto(), terms.deadline(), terms.gzip(), true, terms.streams())
                .of(requests, "grpc", clock);
    }
}
