@echo off
rem The heddle command from a checkout on Windows, as heddle does elsewhere: builds what it needs
rem the first time, and runs. It does not notice that sources have changed: delete
rem heddle-cli\target\built* to build again. HEDDLE_OPTS holds further options for the JVM.
setlocal
for %%H in ("%~dp0.") do set "home=%%~fH"
set "target=%home%\heddle-cli\target"
set "log=%target%\build.log"
set "command=%~1"
call "%home%\.mvn\find-jdk.cmd" heddle
if errorlevel 1 exit /b 1

rem The race finds other clients and servers at run time: only it needs them.
set "modules=heddle-cli"
set "stamp=%target%\built"
if not "%command%"=="race" goto build
rem Two builds of Heddle race without the other clients.
:word
shift
if [%1]==[] goto others
if "%~1"=="--against" goto build
goto word
:others
set "stamp=%target%\built-race"
pushd "%home%\heddle-bench"
for /d %%D in (drivers\* servers\*) do if exist "%%~D\pom.xml" call :add "%%~D"
popd

:build
if exist "%stamp%" goto run
echo heddle: building for the first time, which takes a minute or two.>&2
if not exist "%target%" mkdir "%target%"
pushd "%home%"
call "%home%\mvnw.cmd" -B -Dmaven.test.skip=true -Dspotless.check.skip=true -pl "%modules%" -am package >"%log%" 2>&1
set "code=%ERRORLEVEL%"
popd
if not "%code%"=="0" (
  findstr /b /l /c:"[ERROR]" "%log%">&2 || type "%log%">&2
  echo heddle: the build failed: see above, or %log%>&2
  exit /b 1
)
del /q "%target%\start-*.aot" 2>nul
type nul >"%stamp%"
rem What the race needs holds all that the other commands need.
type nul >"%target%\built"

:run
pushd "%target%"
for %%J in (heddle-cli-*.jar) do call :jar "%%~fJ"
popd
rem A command that is over in a moment gains from a quick start, the others from the best code. A
rem cache that does not fit this JVM is passed over in silence.
set "quick=-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData -Xlog:aot*=off,cds*=off"
for %%C in (serve load worker race) do if "%command%"=="%%C" set "quick="
set "aot="
if not defined quick goto start
for %%J in ("%JAVA_HOME%") do set "cache=%target%\start-%%~nxJ-%jdk_version%.aot"
rem If it cannot be made, an empty one keeps the next command from trying.
if not exist "%cache%" (
  echo heddle: making the cache for a quick start, once after a build.>&2
  "%JAVA_HOME%\bin\java.exe" "%home%\heddle-cli\src\build\java\StartCache.java" "%target%\lib" "%cache%" "%JAVA_HOME%\bin\java.exe" %quick% -jar "%jar%" >>"%log%" 2>&1 || type nul >"%cache%"
)
set aot="-XX:AOTCache=%cache%"

:start
"%JAVA_HOME%\bin\java.exe" %quick% %aot% %HEDDLE_OPTS% "-Dheddle.home=%home%" -jar "%jar%" %*
exit /b %ERRORLEVEL%

:add
set "modules=%modules%,heddle-bench\%~1"
exit /b 0

:jar
set "name=%~n1"
if not "%name:~-8%"=="-sources" if not "%name:~-8%"=="-javadoc" set "jar=%~1"
exit /b 0
