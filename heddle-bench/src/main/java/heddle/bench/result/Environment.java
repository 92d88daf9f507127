package heddle.bench.result;

import java.util.List;
import java.util.Map;

/**
 * Where and how a race ran.
 *
 * @param date when it began, as ISO 8601 in UTC
 * @param jdk the JVM's name and version
 * @param os the kernel and its version
 * @param cpu the processor's name
 * @param cores how many this process may use
 * @param serverCores which the server was pinned to; empty when nothing was pinned
 * @param clientCores which the clients were pinned to; empty when nothing was pinned
 * @param jvmFlags of every client and of the server
 * @param versions of the clients, by name
 * @param servers what answered, by group of cells such as {@code HTTP/2 over TLS}
 * @param design what was asked for
 * @param wallSeconds how long the race took
 */
public record Environment(
    String date,
    String jdk,
    String os,
    String cpu,
    int cores,
    String serverCores,
    String clientCores,
    List<String> jvmFlags,
    Map<String, String> versions,
    Map<String, String> servers,
    Design design,
    double wallSeconds) {}
