/// What a request does: burn CPU time, call another service.
@NullMarked
package dev.jdyno.lab.work;

import org.jspecify.annotations.NullMarked;
