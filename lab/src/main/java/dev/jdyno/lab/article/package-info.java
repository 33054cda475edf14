/// The read service of E10, with real components: Redis, JSON, a template, logback, Tomcat or
/// Undertow, a local cache.
@NullMarked
package dev.jdyno.lab.article;

import org.jspecify.annotations.NullMarked;
