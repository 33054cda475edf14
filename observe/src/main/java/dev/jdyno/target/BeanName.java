package dev.jdyno.target;

import java.io.IOException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;

/// How an MBean names what it tells of: what is lent or listens by itself, a pool of threads as its
/// threads are named.
sealed interface BeanName {
    String of(MBeanServerConnection beans, ObjectName name) throws IOException, JMException;

    /// A property of the bean's name; `type` where the type holds it in brackets.
    ///
    /// @param rest of the name of its first thread, where it is one of threads
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

    /// An attribute with what its threads' names begin with.
    ///
    /// @param rest of the first one's name
    record ByThreads(String attribute, String rest) implements BeanName {
        @Override
        public String of(MBeanServerConnection beans, ObjectName name)
                throws IOException, JMException {
            return beans.getAttribute(name, attribute) + rest;
        }
    }

    /// `http-nio-8080` has threads `http-nio-8080-exec-1`.
    BeanName TOMCAT_CONNECTOR = new ByKey("name", "-exec-1");

    BeanName TOMCAT_EXECUTOR = new ByThreads("namePrefix", "1");

    /// `qtp1751075886` has threads `qtp1751075886-1`.
    BeanName JETTY_POOL = new ByThreads("name", "-1");

    BeanName UNDERTOW_WORKER = new ByThreads("Name", " task-1");
}
