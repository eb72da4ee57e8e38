PHP_ARG_ENABLE([weft],
  [whether to enable Weft],
  [AS_HELP_STRING([--enable-weft], [Enable Weft: one coroutine per request on stock PHP])])

PHP_ARG_ENABLE([weft-asan],
  [whether to build Weft with AddressSanitizer and UBSan],
  [AS_HELP_STRING([--enable-weft-asan], [Build Weft with AddressSanitizer and UBSan])],
  [no], [no])

PHP_ARG_ENABLE([weft-debug-php],
  [whether to build Weft for a PHP with --enable-debug],
  [AS_HELP_STRING([--enable-weft-debug-php], [Build Weft for a PHP with --enable-debug: for those who change Weft])],
  [no], [no])

PHP_ARG_WITH([weft-llhttp],
  [where the llhttp sources are],
  [AS_HELP_STRING([--with-weft-llhttp=DIR], [Use llhttp C sources from DIR/llhttp and its header from DIR/include/llhttp (Debian 12: /usr/share)])],
  [auto], [no])

if test "$PHP_WEFT" != "no"; then
  if test "$PHP_THREAD_SAFETY" = "yes"; then
    AC_MSG_ERROR([Weft needs a non-thread-safe (NTS) PHP; this one is thread-safe (ZTS).])
  fi
  dnl How PHP lays out its state is known of these versions, and guessed of none.
  WEFT_PHP_VERNUM=`$PHP_CONFIG --vernum`
  if test "$WEFT_PHP_VERNUM" -lt 80200 || test "$WEFT_PHP_VERNUM" -ge 80700; then
    WEFT_PHP_VERSION=`$PHP_CONFIG --version`
    AC_MSG_ERROR([Weft knows PHP 8.2 to 8.6; this is PHP $WEFT_PHP_VERSION.])
  fi
  if test "$PHP_DEBUG" = "1"; then
    if test "$PHP_WEFT_DEBUG_PHP" = "no"; then
      AC_MSG_ERROR([Weft is not for a PHP with --enable-debug, but to change Weft itself: --enable-weft-debug-php (WEFT_DEBUG_PHP=1 tools/build-extension) builds it.])
    fi
    CFLAGS="$CFLAGS -DWEFT_DEBUG_PHP=1"
  fi

  dnl llhttp: a library with pkg-config where there is one, else the sources that Debian 12 ships in node-llhttp.
  WEFT_LLHTTP_SOURCES=""
  AC_PATH_PROG(PKG_CONFIG, pkg-config, no)
  if test "$PHP_WEFT_LLHTTP" = "auto" || test "$PHP_WEFT_LLHTTP" = "yes"; then
    if test -x "$PKG_CONFIG" && $PKG_CONFIG --exists libllhttp; then
      PHP_EVAL_INCLINE([`$PKG_CONFIG --cflags-only-I libllhttp`])
      PHP_EVAL_LIBLINE([`$PKG_CONFIG --libs libllhttp`], WEFT_SHARED_LIBADD)
      PHP_WEFT_LLHTTP=pkg-config
    else
      PHP_WEFT_LLHTTP=/usr/share
    fi
  fi
  if test "$PHP_WEFT_LLHTTP" != "pkg-config"; then
    if test ! -f "$PHP_WEFT_LLHTTP/llhttp/llhttp.c"; then
      AC_MSG_ERROR([llhttp not found: install libllhttp-dev, or node-llhttp on Debian 12.])
    fi
    PHP_ADD_INCLUDE([$PHP_WEFT_LLHTTP/include/llhttp])
    WEFT_LLHTTP_SOURCES="src/http/weft_llhttp.c src/http/weft_llhttp_machine.c"
    CFLAGS="$CFLAGS -DWEFT_LLHTTP_BUNDLED=1 -I$PHP_WEFT_LLHTTP/llhttp"
  fi

  dnl TLS: without OpenSSL Weft has none.
  AC_MSG_CHECKING([for OpenSSL 3.0 or newer, for TLS])
  if test -x "$PKG_CONFIG" && $PKG_CONFIG --atleast-version=3.0.0 openssl; then
    AC_MSG_RESULT([`$PKG_CONFIG --modversion openssl`])
    PHP_EVAL_INCLINE([`$PKG_CONFIG --cflags-only-I openssl`])
    PHP_EVAL_LIBLINE([`$PKG_CONFIG --libs openssl`], WEFT_SHARED_LIBADD)
    CFLAGS="$CFLAGS -DWEFT_TLS=1"
  else
    AC_MSG_RESULT([no: Weft is built without TLS (install libssl-dev and pkg-config for it)])
  fi

  dnl HTTP/2. Debian 12's 1.52 has limits of later versions in its patches: the functions tell, not the version.
  WEFT_HTTP2_FLOOR=""
  AC_MSG_CHECKING([for libnghttp2 (HTTP/2)])
  if test -x "$PKG_CONFIG" && $PKG_CONFIG --exists libnghttp2; then
    AC_MSG_RESULT([`$PKG_CONFIG --modversion libnghttp2`])
    PHP_EVAL_INCLINE([`$PKG_CONFIG --cflags-only-I libnghttp2`])
    PHP_EVAL_LIBLINE([`$PKG_CONFIG --libs libnghttp2`], WEFT_SHARED_LIBADD)
    WEFT_HTTP2_FLOOR="http/h2"
    CFLAGS="$CFLAGS -DWEFT_HTTP2=1"
    PHP_CHECK_LIBRARY(nghttp2, nghttp2_option_set_max_continuations, [CFLAGS="$CFLAGS -DWEFT_HTTP2_CONTINUATIONS=1"])
    PHP_CHECK_LIBRARY(nghttp2, nghttp2_option_set_stream_reset_rate_limit, [CFLAGS="$CFLAGS -DWEFT_HTTP2_RESET_RATE=1"])
    PHP_CHECK_LIBRARY(nghttp2, nghttp2_session_change_extpri_stream_priority, [CFLAGS="$CFLAGS -DWEFT_HTTP2_PRIORITIES=1"])
  else
    AC_MSG_RESULT([no: this Weft will speak HTTP/1.1 only; libnghttp2-dev is missing])
  fi

  dnl WebSockets. Debian's package has no .pc file.
  WEFT_WS_FLOOR=""
  AC_CHECK_HEADER([wslay/wslay.h], [
    PHP_CHECK_LIBRARY(wslay, wslay_event_context_server_init, [
      PHP_ADD_LIBRARY(wslay,, WEFT_SHARED_LIBADD)
      WEFT_WS_FLOOR="http/ws"
      CFLAGS="$CFLAGS -DWEFT_WEBSOCKET=1"
    ])
  ])
  AC_MSG_CHECKING([for wslay (WebSocket)])
  if test -n "$WEFT_WS_FLOOR"; then
    AC_MSG_RESULT([yes])
  else
    AC_MSG_RESULT([no: Weft is built without WebSockets (install libwslay-dev for them)])
  fi

  dnl Rooms over several machines: of no use without WebSockets.
  AC_MSG_CHECKING([for hiredis (rooms over several machines)])
  if test -z "$WEFT_WS_FLOOR"; then
    AC_MSG_RESULT([not needed without WebSockets])
  elif test -x "$PKG_CONFIG" && $PKG_CONFIG --exists hiredis; then
    AC_MSG_RESULT([yes, `$PKG_CONFIG --modversion hiredis`])
    PHP_EVAL_LIBLINE([`$PKG_CONFIG --libs hiredis`], WEFT_SHARED_LIBADD)
    CFLAGS="$CFLAGS -DWEFT_REDIS=1"
  else
    AC_MSG_RESULT([no: rooms are not shared with other machines (install libhiredis-dev for that)])
  fi

  WEFT_CFLAGS="-std=gnu11 -Wall -Wextra -Wno-unused-parameter -Werror=implicit-function-declaration -fvisibility=hidden -DZEND_ENABLE_STATIC_TSRMLS_CACHE=1"
  if test "$PHP_WEFT_ASAN" != "no"; then
    WEFT_CFLAGS="$WEFT_CFLAGS -g -O1 -fno-omit-frame-pointer -fsanitize=address,undefined"
    LDFLAGS="$LDFLAGS -fsanitize=address,undefined"
    dnl A PHP with the sanitizer keeps each block of an arena by itself: both must mean the same by an arena.
    case `$PHP_CONFIG --configure-options` in
      *--enable-address-sanitizer*) WEFT_CFLAGS="$WEFT_CFLAGS -DZEND_TRACK_ARENA_ALLOC";;
    esac
  fi

  dnl Compression: each library where there is one. What is missing leaves its coding out.
  AC_DEFUN([WEFT_CODING], [
    AC_MSG_CHECKING([for $2 ($1)])
    WEFT_CODING_MODULES="$3"
    if test -x "$PKG_CONFIG" && $PKG_CONFIG --exists $WEFT_CODING_MODULES; then
      WEFT_CODING_VERSION=`$PKG_CONFIG --modversion $WEFT_CODING_MODULES | head -n 1`
      AC_MSG_RESULT([yes, $WEFT_CODING_VERSION])
      PHP_EVAL_INCLINE([`$PKG_CONFIG --cflags-only-I $WEFT_CODING_MODULES`])
      PHP_EVAL_LIBLINE([`$PKG_CONFIG --libs $WEFT_CODING_MODULES`], WEFT_SHARED_LIBADD)
      AC_DEFINE([$4], [1], [Whether answers and bodies can be coded as $1])
    else
      AC_MSG_RESULT([no: nothing is compressed as $1 (install $5 for it)])
    fi
  ])
  WEFT_CODING([gzip], [zlib], [zlib], [HAVE_WEFT_ZLIB], [zlib1g-dev])
  WEFT_CODING([br], [brotli], [libbrotlienc libbrotlidec], [HAVE_WEFT_BROTLI], [libbrotli-dev])
  WEFT_CODING([zstd], [zstd], [libzstd], [HAVE_WEFT_ZSTD], [libzstd-dev])

  dnl Only tells valgrind of our stacks.
  AC_CHECK_HEADERS([valgrind/valgrind.h])

  dnl The floors, lowest first. A new source file is found by itself; a new floor is added here.
  WEFT_FLOORS="directive reactor coroutine tls codec interpose interpose/guard globals domain domain/scan domain/hidden warm inspect async pdo handles http http/files server"
  WEFT_SOURCES="weft.c"
  for floor in $WEFT_FLOORS $WEFT_HTTP2_FLOOR $WEFT_WS_FLOOR; do
    for file in $abs_srcdir/src/$floor/*.c; do
      name=src/$floor/`basename $file`
      case $name in src/http/weft_llhttp*.c) continue;; esac
      if test -f "$file"; then
        WEFT_SOURCES="$WEFT_SOURCES $name"
      fi
    done
  done
  WEFT_SOURCES="$WEFT_SOURCES $WEFT_LLHTTP_SOURCES"

  PHP_NEW_EXTENSION(weft, $WEFT_SOURCES, $ext_shared,, $WEFT_CFLAGS)
  PHP_ADD_INCLUDE([$ext_srcdir])
  PHP_ADD_INCLUDE([$ext_srcdir/src])
  for floor in $WEFT_FLOORS $WEFT_HTTP2_FLOOR $WEFT_WS_FLOOR; do
    PHP_ADD_BUILD_DIR([$ext_builddir/src/$floor])
  done
  PHP_ADD_LIBRARY(pthread,, WEFT_SHARED_LIBADD)
  PHP_SUBST(WEFT_SHARED_LIBADD)
fi
