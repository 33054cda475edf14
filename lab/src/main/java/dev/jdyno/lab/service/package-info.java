/// The common parts of all sample services: options, container, the line that reports the port, and
/// the watch that ends a service with its parent.
@NullMarked
package dev.jdyno.lab.service;

import org.jspecify.annotations.NullMarked;
