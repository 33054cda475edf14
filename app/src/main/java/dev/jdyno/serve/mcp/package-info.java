/// Provides stored results, GC logs and running JVMs to assistants, over the Model Context
/// Protocol.
@NullMarked
package dev.jdyno.serve.mcp;

import org.jspecify.annotations.NullMarked;
