package dev.jdyno.load.request;

/// Converts the messages of gRPC methods between JSON, as users write it, and the bytes on the
/// wire. Several threads call it at a time.
public interface GrpcMessages {
    /// The encoded request message of a method.
    ///
    /// @param path path of the method, `/package.Service/Method`
    /// @throws IllegalArgumentException if the method does not exist or the JSON is no message of
    ///   it, with the reason
    byte[] message(String path, String json);

    /// True if the method sends any number of messages (server streaming).
    default boolean isStreamed(String path) {
        return false;
    }

    /// A reply of the method as JSON.
    ///
    /// @throws IllegalArgumentException if the bytes are no message of the method
    String json(String path, byte[] message);
}
