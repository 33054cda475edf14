package dev.jdyno.plan;

import dev.jdyno.measure.load.GrpcUrl;
import dev.jdyno.measure.load.HttpUrl;
import dev.jdyno.measure.text.Durations;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The key `grpc` of a plan.
///
/// ```yaml
/// url: grpc://127.0.0.1:9090
/// grpc: {method: shop.Prices/price, data: '{"id": 1}', proto: shop.pb, deadline: 500ms, streams: 10}
/// ```
///
/// The method may also be in the URL, and the message in `body` or in the steps of a workload.
///
/// @param method `package.Service/Method`; empty if the URL or the workload has it
/// @param data the message as JSON; empty if `body` or the workload has it
record GrpcText(GrpcTerms terms, Optional<String> method, Optional<String> data) {
    static GrpcText read(YamlMap top, Path folder, URI url) {
        Optional<YamlMap> found = top.map("grpc");
        if (found.isEmpty()) {
            return new GrpcText(GrpcTerms.DEFAULT, Optional.empty(), Optional.empty());
        }
        if (!GrpcUrl.is(url.toString())) {
            top.problem(
                    "grpc", "the URL is none of gRPC", "write url: grpc://host:port (grpcs: TLS)");
        }
        YamlMap map = found.get();
        Optional<String> method =
                map.value("method", GrpcText::method, "write package.Service/Method");
        Optional<String> data = map.value("data", Function.identity(), "write JSON in quotes");
        if (data.isPresent() && top.has("body")) {
            map.problem("data", "body is given, too", "keep one of them");
        }
        Optional<Path> proto = map.value("proto", folder::resolve, "write the path of a file");
        Optional<Duration> deadline =
                map.value("deadline", GrpcText::deadline, "write 500ms or 2s");
        boolean gzip = map.value("gzip", PlanValues::flag, "write true or false").orElse(false);
        int streams =
                map.value("streams", PlanValues::count, "write a whole number of at least 1")
                        .orElse(GrpcTerms.STREAMS);
        map.close();
        return new GrpcText(new GrpcTerms(proto, deadline, gzip, streams), method, data);
    }

    private static String method(String text) {
        String path = text.startsWith("/") ? text : "/" + text;
        if (!path.matches("/[\\w.]{1,500}/\\w{1,500}")) {
            throw new IllegalArgumentException("'" + text + "' is not package.Service/Method");
        }
        return path;
    }

    private static Duration deadline(String text) {
        Duration time = Durations.parse(text);
        if (!time.isPositive()) {
            throw new IllegalArgumentException("'" + text + "' is not longer than 0");
        }
        return time;
    }

    URI at(URI url) {
        return method.map(m -> HttpUrl.withPath(url, m)).orElse(url);
    }

    static void write(PlanPen pen, GrpcTerms terms) {
        List<String> keys = new ArrayList<>();
        terms.proto()
                .ifPresent(f -> keys.add("proto: " + pen.text("grpc.proto", f.toAbsolutePath())));
        terms.deadline().ifPresent(d -> keys.add("deadline: " + pen.time("grpc.deadline", d)));
        keys.add("gzip: " + pen.scalar("grpc.gzip", terms.gzip()));
        keys.add("streams: " + pen.scalar("grpc.streams", terms.streams()));
        pen.line("grpc", "{" + String.join(", ", keys) + "}");
    }
}
