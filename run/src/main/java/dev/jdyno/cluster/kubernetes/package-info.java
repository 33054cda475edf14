/// Agents in pods of a Kubernetes cluster: created, awaited, and deleted again by the user's
/// `kubectl`.
@NullMarked
package dev.jdyno.cluster.kubernetes;

import org.jspecify.annotations.NullMarked;
