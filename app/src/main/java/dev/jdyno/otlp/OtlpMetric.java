package dev.jdyno.otlp;

/// The metrics that are sent. Names and units follow the conventions of OpenTelemetry: times are in
/// seconds, shares have the unit `1`.
enum OtlpMetric {
    THROUGHPUT("jdyno.round.throughput", "{request}/s", "Good requests per second."),
    CONCURRENCY("jdyno.round.concurrency", "{request}", "Requests in flight."),
    RESPONSE_TIME(
            "jdyno.round.response_time.quantile",
            "s",
            "Quantile of the response times; 1 is the maximum."),
    RESPONSE_TIME_MEAN("jdyno.round.response_time.mean", "s", "Mean response time."),
    ERROR_SHARE("jdyno.round.error.share", "1", "Failed requests as a share of all."),
    REQUESTS(
            "jdyno.requests",
            "{request}",
            "Requests that ended in the rounds so far; failed ones have an error.type."),
    CPU(
            "jdyno.round.cpu.usage",
            "{cpu}",
            "CPU used by the service, the load generator and all other processes."),
    CPU_AVAILABLE("jdyno.round.cpu.available", "{cpu}", "CPU that was left to the service."),
    CPU_PER_REQUEST("jdyno.round.cpu.per_request", "s", "CPU time of the service for one request."),
    GC_PAUSE_SHARE(
            "jdyno.round.gc.pause.share", "1", "Share of the round in pauses of the collector."),
    GC_COLLECTIONS("jdyno.round.gc.collections", "{collection}", "Collections in the round."),
    GC_ALLOCATION_RATE("jdyno.round.gc.allocation_rate", "By/s", "Bytes allocated per second."),
    GC_ALLOCATED_PER_REQUEST(
            "jdyno.round.gc.allocated_per_request", "By", "Heap bytes that one request allocates."),
    DISTURBED(
            "jdyno.round.disturbed",
            "1",
            "1 if other processes or the hypervisor disturbed the round, else 0."),
    CLIENT_SATURATED(
            "jdyno.round.client.saturated",
            "1",
            "1 if the load generator was a limit or was held up, else 0."),
    KNEE_CONCURRENCY(
            "jdyno.run.knee.concurrency",
            "{request}",
            "Requests in flight from which throughput stops growing."),
    KNEE_THROUGHPUT(
            "jdyno.run.knee.throughput", "{request}/s", "Requests per second beyond the knee."),
    GOAL_RATE(
            "jdyno.run.goal.rate",
            "{request}/s",
            "Highest tested rate that keeps every response-time goal."),
    VERDICT(
            "jdyno.run.verdict.confidence",
            "1",
            "Confidence of the verdict, which is in the attributes."),
    VALID("jdyno.run.valid", "1", "1 if the figures can be trusted, else 0.");

    private final String key;
    private final String unit;
    private final String description;

    OtlpMetric(String key, String unit, String description) {
        this.key = key;
        this.unit = unit;
        this.description = description;
    }

    String key() {
        return key;
    }

    /// The unit in UCUM.
    String unit() {
        return unit;
    }

    String description() {
        return description;
    }

    /// True if the metric is a count that only grows, false if it is a gauge.
    boolean isCount() {
        return this == REQUESTS;
    }
}
