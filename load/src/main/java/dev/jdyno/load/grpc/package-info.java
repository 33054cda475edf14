/// Messages of gRPC: the methods of a service, from server reflection or a descriptor set, and the
/// conversion between JSON and messages.
@NullMarked
package dev.jdyno.load.grpc;

import org.jspecify.annotations.NullMarked;
