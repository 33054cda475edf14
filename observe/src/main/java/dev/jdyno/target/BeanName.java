package dev.jdyno.target;

import java.io.IOException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;

/// How an MBean gives the name of its object: a pooled resource or connector by its own name, a
/// thread pool by the name of its threads.
sealed interface BeanName {
    String of(MBeanServerConnection beans, ObjectName name) throws IOException, JMException;

    /// A property of the bean's name; if the value contains brackets, the text in them.
    ///
    /// @param rest rest of the name of its first thread, if it is a thread pool
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

    /// An attribute with the prefix of its threads' names.
    ///
    /// @param rest rest of the first thread's name
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
