@rem Called by mvnw.cmd and heddle.cmd with the name of the command, as find-jdk.sh is elsewhere: sets
@rem JAVA_HOME to a JDK that is new enough and jdk_version to its version, or says what to install.
@set "minimum_jdk=25"
@set "jdk="
@rem What the user chose comes first: JAVA_HOME, then the path.
@if defined JAVA_HOME call :take "%JAVA_HOME%"
@if not defined jdk for %%J in (javac.exe) do @if not "%%~$PATH:J"=="" call :take "%%~dp$PATH:J.."
@if defined jdk goto found
@rem Then the usual folders. The oldest that is new enough is the one that the build is tested with.
@set "jdk_best=9999"
@for %%P in (
  "%ProgramFiles%\Java" "%ProgramFiles%\Eclipse Adoptium" "%ProgramFiles%\Microsoft"
  "%ProgramFiles%\Zulu" "%ProgramFiles%\Amazon Corretto" "%ProgramFiles%\BellSoft"
  "%LOCALAPPDATA%\Programs\Eclipse Adoptium" "%USERPROFILE%\.jdks"
) do @call :folder "%%~P"
@if defined jdk goto found
@echo %~1: needs a JDK of version %minimum_jdk% or newer, and found none.>&2
@echo   Looked at JAVA_HOME, javac on the PATH, the usual folders below %ProgramFiles%, and .jdks.>&2
@echo   Install one, or set JAVA_HOME to the one you have.>&2
@exit /b 1

:found
@set "JAVA_HOME=%jdk%"
@call :version "%jdk%"
@exit /b 0

:take
@call :version "%~1"
@if %jdk_feature% geq %minimum_jdk% for %%D in ("%~1\.") do @set "jdk=%%~fD"
@exit /b 0

:folder
@if not exist "%~1\*" exit /b 0
@pushd "%~1"
@for /d %%D in (*) do @call :compare "%~1\%%~D"
@popd
@exit /b 0

:compare
@call :version "%~1"
@if %jdk_feature% lss %minimum_jdk% exit /b 0
@if %jdk_feature% geq %jdk_best% exit /b 0
@set "jdk_best=%jdk_feature%"
@set "jdk=%~1"
@exit /b 0

@rem Sets jdk_version to the version of the JDK in %1, and jdk_feature to its first number, or to 0.
:version
@set "jdk_version="
@set "jdk_feature=0"
@if not exist "%~1\bin\javac.exe" exit /b 0
@if not exist "%~1\release" exit /b 0
@for /f "usebackq tokens=1,2 delims==" %%A in ("%~1\release") do @if "%%A"=="JAVA_VERSION" set "jdk_version=%%~B"
@for /f "delims=.-+_ " %%F in ("%jdk_version%") do @set "jdk_feature=%%F"
@exit /b 0
