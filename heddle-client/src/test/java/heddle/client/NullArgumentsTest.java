package heddle.client;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** A null that is not allowed fails where it is given, and the message says what was null. */
class NullArgumentsTest {
  @TestFactory
  Stream<DynamicTest> buildersNameTheNull() {
    return Stream.of(HttpClient.builder(), Request.builder(), Response.builder(Status.OK))
        .flatMap(builder -> Arrays.stream(builder.getClass().getDeclaredMethods())
            .filter(method -> Modifier.isPublic(method.getModifiers()))
            .filter(NullArgumentsTest::takesOneThatMayNotBeNull)
            .map(method -> DynamicTest.dynamicTest(
                builder.getClass().getEnclosingClass().getSimpleName() + "." + method.getName(),
                () -> assertNamed(builder, method))));
  }

  private static boolean takesOneThatMayNotBeNull(Method method) {
    return method.getParameterCount() == 1
        && !method.getParameterTypes()[0].isPrimitive()
        && !method.getAnnotatedParameterTypes()[0].isAnnotationPresent(Nullable.class);
  }

  private static void assertNamed(Object builder, Method method) {
    Throwable thrown = assertThrows(
            InvocationTargetException.class, () -> method.invoke(builder, new Object[] {null}))
        .getCause();
    String message = assertInstanceOf(NullPointerException.class, thrown).getMessage();
    assertTrue(message != null && message.matches("\\w+( must not be null)?"), message);
  }
}
