package dev.jdyno.load.request;

/// The messages of gRPC methods: JSON as users write it, bytes as they go over the wire. Called by
/// several threads at a time.
public interface GrpcMessages {
    /// The request message of a method.
    ///
    /// @param path `/package.Service/Method`
    /// @throws IllegalArgumentException when there is no such method, or the JSON is no message of
    ///   it, with the reason
    byte[] message(String path, String json);

    /// True if the method gives any number of messages (server streaming).
    default boolean isStreamed(String path) {
        return false;
    }

    /// A reply of the method as JSON.
    ///
    /// @throws IllegalArgumentException when the bytes are no message of the method
    String json(String path, byte[] message);
}
