package dev.jdyno.target;

import java.io.ObjectInputFilter;
import java.util.Set;

/// The serialised classes that may become objects when a JVM answers over JMX (JEP 290): the types
/// of MBeans' attributes, descriptions of MBeans, RMI's own messages, and their exceptions. All
/// others are rejected, because the classes of a whole class path can be combined to attacks.
public final class ReadObjects implements ObjectInputFilter {
    private static final ReadObjects ONLY = new ReadObjects();

    private static final long MAX_DEPTH = 30;
    private static final long MAX_REFERENCES = 200_000;
    private static final long MAX_BYTES = 32L << 20;
    private static final long MAX_ELEMENTS = 200_000;

    /// Packages whose exceptions are read; of other packages only the exceptions in {@link
    /// #CLASSES}.
    private static final Set<String> FAILURES =
            Set.of(
                    "java.lang",
                    "java.io",
                    "java.net",
                    "java.rmi",
                    "java.rmi.server",
                    "javax.management.openmbean");

    /// Packages in which all classes are values.
    private static final Set<String> VALUES = Set.of("javax.management.openmbean");

    private static final Set<String> CLASSES =
            Set.of(
                    "java.lang.Object",
                    "java.lang.String",
                    "java.lang.Enum",
                    "java.lang.Number",
                    "java.lang.Boolean",
                    "java.lang.Character",
                    "java.lang.Byte",
                    "java.lang.Short",
                    "java.lang.Integer",
                    "java.lang.Long",
                    "java.lang.Float",
                    "java.lang.Double",
                    "java.lang.StackTraceElement",
                    "java.math.BigInteger",
                    "java.math.BigDecimal",
                    "java.util.Date",
                    "java.util.ArrayList",
                    "java.util.LinkedList",
                    "java.util.Vector",
                    "java.util.Arrays$ArrayList",
                    "java.util.HashMap",
                    "java.util.LinkedHashMap",
                    "java.util.TreeMap",
                    "java.util.Hashtable",
                    "java.util.HashSet",
                    "java.util.LinkedHashSet",
                    "java.util.TreeSet",
                    "java.util.CollSer",
                    "java.util.Map",
                    "java.util.Map$Entry",
                    "java.util.Collections$EmptyList",
                    "java.util.Collections$EmptyMap",
                    "java.util.Collections$EmptySet",
                    "java.util.Collections$SingletonList",
                    "java.util.Collections$SingletonMap",
                    "java.util.Collections$SingletonSet",
                    "java.util.Collections$UnmodifiableCollection",
                    "java.util.Collections$UnmodifiableList",
                    "java.util.Collections$UnmodifiableRandomAccessList",
                    "java.util.Collections$UnmodifiableMap",
                    "java.util.Collections$UnmodifiableSet",
                    "javax.management.ObjectName",
                    "javax.management.ObjectInstance",
                    "javax.management.Attribute",
                    "javax.management.AttributeList",
                    "javax.management.MBeanInfo",
                    "javax.management.MBeanFeatureInfo",
                    "javax.management.MBeanAttributeInfo",
                    "javax.management.MBeanConstructorInfo",
                    "javax.management.MBeanNotificationInfo",
                    "javax.management.MBeanOperationInfo",
                    "javax.management.MBeanParameterInfo",
                    "javax.management.ImmutableDescriptor",
                    "javax.management.AttributeNotFoundException",
                    "javax.management.InstanceNotFoundException",
                    "javax.management.IntrospectionException",
                    "javax.management.InvalidAttributeValueException",
                    "javax.management.JMException",
                    "javax.management.JMRuntimeException",
                    "javax.management.MalformedObjectNameException",
                    "javax.management.MBeanException",
                    "javax.management.OperationsException",
                    "javax.management.ReflectionException",
                    "javax.management.RuntimeErrorException",
                    "javax.management.RuntimeMBeanException",
                    "javax.management.RuntimeOperationsException",
                    "javax.management.ServiceNotFoundException",
                    "javax.management.modelmbean.DescriptorSupport",
                    "javax.management.modelmbean.ModelMBeanInfoSupport",
                    "javax.management.modelmbean.ModelMBeanAttributeInfo",
                    "javax.management.modelmbean.ModelMBeanConstructorInfo",
                    "javax.management.modelmbean.ModelMBeanNotificationInfo",
                    "javax.management.modelmbean.ModelMBeanOperationInfo",
                    "javax.management.remote.rmi.RMIServerImpl_Stub",
                    "javax.management.remote.rmi.RMIConnectionImpl_Stub",
                    "java.rmi.server.RemoteObject",
                    "java.rmi.server.RemoteStub",
                    "java.rmi.server.UID",
                    "java.rmi.server.ObjID",
                    "java.rmi.dgc.Lease",
                    "java.rmi.dgc.VMID");

    private ReadObjects() {}

    /// The filter of one stream.
    static ObjectInputFilter filter() {
        return ONLY;
    }

    /// Makes it the filter of this JVM, for everything that reads serialised objects in it, if
    /// there is none yet. Nothing in jdyno needs another one.
    ///
    /// @return true if it is the filter; false if another one is set already (`jdk.serialFilter`)
    public static synchronized boolean guardJvm() {
        if (Config.getSerialFilter() == null) {
            Config.setSerialFilter(ONLY);
        }
        return ONLY.equals(Config.getSerialFilter());
    }

    @Override
    public Status checkInput(FilterInfo seen) {
        if (seen.depth() > MAX_DEPTH
                || seen.references() > MAX_REFERENCES
                || seen.streamBytes() > MAX_BYTES
                || seen.arrayLength() > MAX_ELEMENTS) {
            return Status.REJECTED;
        }
        Class<?> type = seen.serialClass();
        if (type == null) {
            return Status.UNDECIDED;
        }
        while (type.isArray()) {
            type = type.getComponentType();
        }
        return isRead(type) ? Status.ALLOWED : Status.REJECTED;
    }

    /// True if objects of the class are read. Only classes of the JDK's modules are, because a
    /// class on jdyno's class path may have the same name.
    private static boolean isRead(Class<?> type) {
        if (type.isPrimitive()) {
            return true;
        }
        boolean ofTheJdk = type.getModule().isNamed();
        String in = type.getPackageName();
        return ofTheJdk
                && (CLASSES.contains(type.getName())
                        || VALUES.contains(in)
                        || (FAILURES.contains(in) && Throwable.class.isAssignableFrom(type)));
    }
}
