package heddle.codec.http2.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.Role;
import heddle.codec.http2.frame.Frame.Settings.Parameter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SettingsTest {
  private static final long MOST = 0xffffffffL;

  private static Settings changed(Role owner, long... idsAndValues) throws Http2Exception {
    return Settings.INITIAL.with(frame(idsAndValues), owner);
  }

  private static Frame.Settings frame(long... idsAndValues) {
    var parameters = new ArrayList<Parameter>();
    for (int i = 0; i < idsAndValues.length; i += 2) {
      parameters.add(new Parameter((int) idsAndValues[i], idsAndValues[i + 1]));
    }
    return new Frame.Settings(false, parameters);
  }

  private static void assertRefused(ErrorCode code, Role owner, int id, long value) {
    Http2Exception error = assertThrows(
        Http2Exception.class,
        () -> changed(owner, id, value),
        () -> "setting " + id + " = " + value + " was accepted");
    assertEquals(code, error.code());
    assertTrue(error.connectionError());
    assertTrue(String.valueOf(error.getMessage()).contains("RFC "));
  }

  @Test
  void initialValuesAreThoseOfTheRfc() {
    assertEquals(
        new Settings(4096, true, Integer.MAX_VALUE, 65535, 16384, Integer.MAX_VALUE, false, false),
        Settings.INITIAL);
  }

  @Test
  void eachSettingIsApplied() throws Http2Exception {
    Settings settings = changed(Role.CLIENT, 1, 0, 2, 0, 3, 7, 4, 9, 5, 16_385, 6, 11, 8, 1, 9, 1);
    assertEquals(new Settings(0, false, 7, 9, 16_385, 11, true, true), settings);
  }

  @Test
  void laterValueCounts() throws Http2Exception {
    assertEquals(5, changed(Role.SERVER, 4, 3, 4, 5).initialWindowSize());
  }

  @Test
  void unknownSettingIsIgnored() throws Http2Exception {
    assertEquals(Settings.INITIAL, changed(Role.SERVER, 0, 1, 7, MOST, 0x0a0a, 5, 0xffff, 3));
  }

  @Test
  void valuesAboveWhatCanBeUsedMeanNoBound() throws Http2Exception {
    Settings settings = changed(Role.SERVER, 1, MOST, 3, MOST, 6, MOST);
    assertEquals(Settings.UNLIMITED, settings.headerTableSize());
    assertEquals(Settings.UNLIMITED, settings.maxConcurrentStreams());
    assertEquals(Settings.UNLIMITED, settings.maxHeaderListSize());
  }

  @Test
  void windowIsAtMostTwoGiB() throws Http2Exception {
    assertEquals(Integer.MAX_VALUE, changed(Role.SERVER, 4, Integer.MAX_VALUE).initialWindowSize());
    assertRefused(ErrorCode.FLOW_CONTROL_ERROR, Role.SERVER, 4, 1L << 31);
    assertRefused(ErrorCode.FLOW_CONTROL_ERROR, Role.CLIENT, 4, MOST);
  }

  @Test
  void frameSizeIsWithinItsRange() throws Http2Exception {
    assertEquals(16_384, changed(Role.SERVER, 5, 16_384).maxFrameSize());
    assertEquals(16_777_215, changed(Role.SERVER, 5, 16_777_215).maxFrameSize());
    assertRefused(ErrorCode.PROTOCOL_ERROR, Role.SERVER, 5, 16_383);
    assertRefused(ErrorCode.PROTOCOL_ERROR, Role.SERVER, 5, 16_777_216);
    assertRefused(ErrorCode.PROTOCOL_ERROR, Role.SERVER, 5, MOST);
  }

  @Test
  void pushIsEnabledByClientsOnly() throws Http2Exception {
    assertTrue(changed(Role.CLIENT, 2, 1).enablePush());
    assertFalse(changed(Role.SERVER, 2, 0).enablePush());
    assertRefused(ErrorCode.PROTOCOL_ERROR, Role.SERVER, 2, 1);
    assertRefused(ErrorCode.PROTOCOL_ERROR, Role.CLIENT, 2, 2);
  }

  @Test
  void flagsAreZeroOrOne() {
    assertRefused(ErrorCode.PROTOCOL_ERROR, Role.SERVER, 8, 2);
    assertRefused(ErrorCode.PROTOCOL_ERROR, Role.SERVER, 9, 2);
    assertRefused(ErrorCode.PROTOCOL_ERROR, Role.SERVER, 8, MOST);
  }

  @Test
  void extendedConnectIsNotTakenBack() throws Http2Exception {
    Settings enabled = changed(Role.SERVER, 8, 1);
    assertTrue(enabled.with(frame(8, 1), Role.SERVER).enableConnectProtocol());
    Http2Exception error =
        assertThrows(Http2Exception.class, () -> enabled.with(frame(8, 0), Role.SERVER));
    assertEquals(ErrorCode.PROTOCOL_ERROR, error.code());
    assertFalse(changed(Role.SERVER, 8, 0).enableConnectProtocol());
  }

  /** A server that takes silence for none of it could neither decode nor send. */
  @Test
  void sizesAreAnnouncedWhereTheyHoldWithoutToo() throws Http2Exception {
    assertEquals(
        List.of(new Parameter(1, 4_096), new Parameter(4, 65_535), new Parameter(5, 16_384)),
        Settings.INITIAL.announced().parameters());
    Settings settings = new Settings(0, false, 7, 9, 16_385, 11, true, true);
    assertEquals(8, settings.announced().parameters().size());
    assertEquals(settings, Settings.INITIAL.with(settings.announced(), Role.CLIENT));
  }

  @Test
  void onlyChangesAreTold() throws Http2Exception {
    assertEquals(List.of(), Settings.INITIAL.changesFrom(Settings.INITIAL).parameters());
    Settings settings = new Settings(0, false, 7, 9, 16_385, 11, true, true);
    Frame.Settings told = settings.changesFrom(Settings.INITIAL);
    assertEquals(8, told.parameters().size());
    assertEquals(settings, Settings.INITIAL.with(told, Role.CLIENT));
    Settings again = settings.toBuilder().initialWindowSize(10).build();
    assertEquals(List.of(new Parameter(4, 10)), again.changesFrom(settings).parameters());
  }
}
