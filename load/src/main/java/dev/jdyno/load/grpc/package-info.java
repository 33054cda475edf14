/// Messages of gRPC: what methods a service has, by server reflection or a descriptor set, and JSON
/// as their messages.
@NullMarked
package dev.jdyno.load.grpc;

import org.jspecify.annotations.NullMarked;
