package dev.jdyno.measure.service;

/// Requests to one endpoint with one class of status, as the service counted them.
///
/// @param method HTTP method; empty if the service does not expose it
/// @param uri the route as the service names it, `/orders/{id}`
/// @param status class of the status, `2xx`; empty if the service does not expose it
/// @param perS requests per second
/// @param meanMs mean time of a request inside the service
/// @param timeShare share of the time of all requests of the window, 0…1
public record EndpointFigures(
        String method,
        String uri,
        String status,
        long requests,
        double perS,
        double meanMs,
        double timeShare) {
    /// The row of all endpoints without a row of their own, without requests.
    public static final EndpointFigures OTHERS = new EndpointFigures("", "others", "", 0, 0, 0, 0);

    /// The endpoint as users name it: `GET /orders/{id}`.
    public String name() {
        return (method + " " + uri).strip();
    }

    /// True if it is the row of all endpoints without a row of their own.
    public boolean isOthers() {
        return name().equals(OTHERS.name());
    }
}
