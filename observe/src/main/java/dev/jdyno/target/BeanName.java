package dev.jdyno.target;

import java.io.IOException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;

/// The rule by which the name of a pool or connector is found from its MBean. The name of a thread
/// pool is that of its first thread.
sealed interface BeanName {
    String of(MBeanServerConnection beans, ObjectName name) throws IOException, JMException;

    /// The name is a property of the bean's name; if the value contains brackets, it is the text in
    /// them.
    ///
    /// @param rest text to append for the name of the first thread; empty if the object is no
    ///   thread pool
    record ByKey(String key, String rest) implements BeanName {
        ByKey(String key) {
            this(key, "");
        }

        /// `com.zaxxer.hikari:type=Pool (HikariPool-1)` is `HikariPool-1`.
        @Override
        public String of(MBeanServerConnection beans, ObjectName name) {
            String value = name.getKeyProperty(key);
            if (value == null) {
                return name.toString();
            }
            String bare = value.startsWith("\"") ? ObjectName.unquote(value) : value;
            int bracket = bare.indexOf('(');
            String named =
                    bracket < 0 ? bare : bare.substring(bracket + 1).replaceFirst("\\)$", "");
            return named + rest;
        }
    }

    /// The name is an attribute with the prefix of the threads' names.
    ///
    /// @param rest text to append for the name of the first thread
    record ByThreads(String attribute, String rest) implements BeanName {
        @Override
        public String of(MBeanServerConnection beans, ObjectName name)
                throws IOException, JMException {
            return beans.getAttribute(name, attribute) + rest;
        }
    }

    /// The threads of `http-nio-8080` are named `http-nio-8080-exec-1`.
    BeanName TOMCAT_CONNECTOR = new ByKey("name", "-exec-1");

    BeanName TOMCAT_EXECUTOR = new ByThreads("namePrefix", "1");

    /// The threads of `qtp1751075886` are named `qtp1751075886-1`.
    BeanName JETTY_POOL = new ByThreads("name", "-1");

    BeanName UNDERTOW_WORKER = new ByThreads("Name", " task-1");
}
