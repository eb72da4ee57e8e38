<?php

declare(strict_types=1);

// What PHP itself keeps for a request: settings, handlers, tables of wrappers and filters, the process's own state.

use Illuminate\Support\Facades\App;
use Weft\IsolationTests\Behaviour;
use Weft\IsolationTests\Effects;
use Weft\IsolationTests\Identity;
use Weft\IsolationTests\Kept;
use Weft\IsolationTests\Lazy\Upper;
use Weft\IsolationTests\Lazy\Wrapper;
use Weft\IsolationTests\Window;

require_once dirname(__DIR__) . '/src/Lazy/ticking.php';
require_once dirname(__DIR__) . '/src/Lazy/every_fifth.php';

return [
    new Behaviour('ini set', static function (Identity $who, Window $window): array {
        $names = [
            'precision', 'serialize_precision', 'user_agent', 'pcre.backtrack_limit', 'default_charset',
            'display_errors', 'error_log', 'html_errors', 'assert.exception', 'arg_separator.output',
            'session.gc_maxlifetime', 'session.cookie_domain', 'include_path', 'max_execution_time',
            'default_socket_timeout', 'auto_detect_line_endings',
        ];
        $before = array_map(ini_get(...), array_diff($names, ['error_log', 'display_errors', 'include_path', 'html_errors', 'max_execution_time']));
        ini_set('precision', (string) (4 + $who->number));
        ini_set('serialize_precision', (string) (5 + $who->number % 10));
        ini_set('user_agent', $who->tag());
        ini_set('pcre.backtrack_limit', (string) (1_000_000 + $who->number));
        ini_set('default_charset', $who->choose('UTF-8', 'ISO-8859-1'));
        ini_set('error_log', "/dev/null/{$who->tag()}");
        ini_set('arg_separator.output', $who->choose('&', ';'));
        ini_set('session.gc_maxlifetime', (string) (1000 + $who->number));
        ini_set('session.cookie_domain', $who->tag());
        ini_set('default_socket_timeout', (string) (30 + $who->number));
        set_include_path("/nowhere/{$who->tag()}");
        $window->open();
        $seen = [
            ini_get('precision'), ini_get('user_agent'), ini_get('pcre.backtrack_limit'), ini_get('default_charset'),
            ini_get('error_log'), ini_get('session.gc_maxlifetime'), ini_get('session.cookie_domain'),
            ini_get('default_socket_timeout'), get_include_path(), (string) (1 / 3), json_encode(1 / 3),
            http_build_query(['a' => 1, 'b' => 2]), htmlspecialchars("\xe4", ENT_SUBSTITUTE),
        ];
        ini_restore('precision');
        $window->open();

        return [$before, array_map(static fn (mixed $value): string => bin2hex((string) $value), $seen), ini_get('precision')];
    }),

    new Behaviour('error reporting', static function (Identity $who, Window $window): array {
        $before = error_reporting();
        error_reporting($who->isEven() ? E_ALL & ~E_USER_WARNING : E_ALL);
        $window->open();
        $seen = error_reporting();
        $silent = @trigger_error($who->tag(), E_USER_NOTICE);
        $window->open();
        try {
            trigger_error("warning of {$who->tag()}", E_USER_WARNING);
            $thrown = null;
        } catch (ErrorException $error) {
            $thrown = $error->getMessage();
        }

        return [$before, $seen, $silent, $thrown, error_reporting()];
    }),

    new Behaviour('error and exception handlers', static function (Identity $who, Window $window): array {
        $heard = [];
        $handler = static function (int $level, string $message) use (&$heard, $who, $window): bool {
            $window->open();
            $heard[] = "{$who->tag()} hears $message";

            return true;
        };
        set_error_handler($handler);
        $exceptions = static fn (Throwable $error): null => null;
        set_exception_handler($exceptions);
        $window->open();
        trigger_error("one of {$who->tag()}", E_USER_WARNING);
        @trigger_error('silenced', E_USER_NOTICE);
        set_error_handler(static fn (int $level, string $message): bool => (bool) ($heard[] = "second $message"));
        $window->open();
        restore_error_handler();
        trigger_error("two of {$who->tag()}", E_USER_NOTICE);
        $same = set_error_handler(null) === $handler && set_exception_handler(null) === $exceptions;
        restore_error_handler();
        restore_error_handler();
        restore_exception_handler();
        restore_exception_handler();

        return [$heard, $same];
    }),

    new Behaviour('last errors', static function (Identity $who, Window $window): array {
        set_error_handler(null);
        json_decode($who->isEven() ? '{' : '{}');
        @trigger_error("last of {$who->tag()}", E_USER_NOTICE);
        @preg_match($who->isEven() ? '/(?:\D+|<\d+>)*[!?]/' : '/a/', 'foobar foobar foobar');
        $window->open();
        $seen = [json_last_error(), json_last_error_msg(), error_get_last()['message'] ?? null, preg_last_error_msg()];
        error_clear_last();
        restore_error_handler();

        return $seen;
    }),

    new Behaviour('locale of the C library', static function (Identity $who, Window $window): array {
        $before = setlocale(LC_ALL, '0');
        setlocale(LC_ALL, $who->choose('C', 'C.UTF-8'));
        $window->open();
        $seen = [setlocale(LC_ALL, '0'), escapeshellarg("\xc3\xa4"), basename("/a/\xc3\xa4b")];
        setlocale(LC_CTYPE, $who->choose('C.UTF-8', 'C'));
        $window->open();

        return [$before, array_map(bin2hex(...), array_map(strval(...), $seen)), setlocale(LC_CTYPE, '0')];
    }),

    new Behaviour('time zone', static function (Identity $who, Window $window): array {
        $before = date_default_timezone_get();
        date_default_timezone_set($who->zone());
        $window->open();

        return [
            $before, date_default_timezone_get(), date('c', 1_790_000_000),
            (new DateTime('2026-06-01 12:00'))->format('c'), mktime(0, 0, 0, 1, 1, 2026), now()->tzName,
            ini_get('date.timezone'),
        ];
    }),

    new Behaviour('time zone through ini', static function (Identity $who, Window $window): array {
        ini_set('date.timezone', $who->zone());
        $window->open();

        return [ini_get('date.timezone'), date_default_timezone_get()];
    }),

    new Behaviour('mbstring encodings', static function (Identity $who, Window $window): array {
        $before = [mb_internal_encoding(), mb_substitute_character(), mb_language(), mb_detect_order(), mb_http_output(), mb_regex_encoding()];
        mb_internal_encoding($who->choose('ISO-8859-1', 'UTF-8'));
        mb_substitute_character(0x41 + $who->number);
        mb_language($who->choose('English', 'Japanese'));
        mb_detect_order($who->choose(['ASCII', 'UTF-8'], ['UTF-8', 'ISO-8859-15']));
        mb_http_output($who->choose('UTF-8', 'ISO-8859-1'));
        mb_regex_encoding($who->choose('UTF-8', 'EUC-JP'));
        $window->open();

        return [
            $before, mb_internal_encoding(), mb_substitute_character(), mb_language(), mb_detect_order(),
            mb_http_output(), mb_regex_encoding(), mb_strlen("\xc3\xa4"),
            bin2hex(mb_convert_encoding("a\xff", 'UTF-8', 'UTF-8')),
        ];
    }),

    new Behaviour('mbstring regular expressions', static function (Identity $who, Window $window): array {
        mb_regex_set_options($who->choose('i', 'x'));
        mb_ereg_search_init("one {$who->tag()} two", '\w+\d+');
        $window->open();
        $found = mb_ereg_search_regs();
        $window->open();
        mb_ereg('(\w)(\d+)', $who->tag(), $match);

        return [$found, mb_ereg_search_getpos(), mb_regex_set_options(), $match];
    }),

    new Behaviour('libxml errors', static function (Identity $who, Window $window): array {
        $before = libxml_use_internal_errors();
        libxml_use_internal_errors($who->isEven());
        $window->open();
        $document = new DOMDocument();
        try {
            $loaded = $document->loadXML("<a><{$who->tag('bad')}</a>");
        } catch (ErrorException $error) {
            $loaded = $error->getMessage();
        }
        $window->open();
        $errors = array_map(static fn (LibXMLError $error): string => trim($error->message), libxml_get_errors());
        libxml_clear_errors();

        return [$before, libxml_use_internal_errors(), $loaded, $errors];
    }),

    new Behaviour('libxml entity loader and stream context', static function (Identity $who, Window $window): array {
        $before = libxml_get_external_entity_loader() === null;
        libxml_set_external_entity_loader(static fn (): string => "/nowhere/{$who->tag()}");
        libxml_set_streams_context(stream_context_create(['http' => ['user_agent' => $who->tag()]]));
        $window->open();
        $loader = libxml_get_external_entity_loader();

        return [$before, $loader === null ? null : $loader('', '', [])];
    }),

    new Behaviour('working directory', static function (Identity $who, Window $window): array {
        $directory = sys_get_temp_dir() . "/weft-isolation-directory-{$who->tag()}-" . getmypid() . "-$who->round";
        is_dir($directory) || mkdir($directory);
        chdir($directory);
        $window->open();
        file_put_contents('here', $who->tag());
        $seen = [basename((string) getcwd()) === basename($directory), file_get_contents("$directory/here"), realpath('here') === realpath("$directory/here")];
        $window->open();
        unlink('here');
        chdir('/');
        rmdir($directory);

        return $seen;
    }),

    new Behaviour('umask', static function (Identity $who, Window $window): array {
        $before = umask();
        umask($who->choose(0o077, 0o022));
        $window->open();
        $file = sys_get_temp_dir() . "/weft-isolation-umask-{$who->tag()}-" . getmypid() . "-$who->round";
        touch($file);
        clearstatcache();
        $mode = fileperms($file) & 0o777;
        unlink($file);

        return [decoct($before), decoct(umask()), decoct($mode)];
    }),

    new Behaviour('seeded random numbers', static function (Identity $who, Window $window): array {
        mt_srand($who->number);
        $numbers = [];
        for ($i = 0; $i < 4; $i++) {
            $numbers[] = mt_rand(0, 1_000_000);
            $window->open();
            $numbers[] = rand(1, 100);
            $numbers[] = array_rand(range(0, 99));
        }
        $letters = range('a', 'z');
        shuffle($letters);
        mt_srand(7, MT_RAND_PHP);

        return [$numbers, implode('', $letters), str_shuffle('abcdef')];
    }),

    new Behaviour('strtok', static function (Identity $who, Window $window): array {
        $pieces = [strtok("{$who->tag('a')} {$who->tag('b')} {$who->tag('c')}", ' ')];
        while (($piece = strtok(' ')) !== false) {
            $pieces[] = $piece;
            $window->open();
        }

        return $pieces;
    }),

    new Behaviour('environment variables', static function (Identity $who, Window $window): array {
        $before = [getenv('VISITOR'), getenv('DB_CONNECTION')];
        putenv("VISITOR={$who->tag()}");
        putenv("OF_I{$who->number}=1");
        $who->isEven() ? putenv('DB_CONNECTION') : putenv("DB_CONNECTION={$who->tag()}");
        $_ENV['VISITOR'] = $who->tag('env');
        $window->open();
        $shell = trim((string) shell_exec('echo $VISITOR'));

        return [
            $before,
            getenv('VISITOR'),
            getenv('DB_CONNECTION'),
            count(array_filter(array_keys(getenv()), static fn (mixed $name): bool => str_starts_with((string) $name, 'OF_I'))),
            $shell,
            $_ENV['VISITOR'],
        ];
    }),

    new Behaviour('shutdown functions', static function (Identity $who, Window $window): array {
        register_shutdown_function(static function (string $name) use ($who, $window): void {
            $window->open();
            Effects::add($who, 'shutdown', [$name, config('app.visitor')]);
            register_shutdown_function(static fn () => Effects::add($who, 'shutdown within shutdown'));
        }, $who->tag('given'));
        config(['app.visitor' => $who->tag()]);
        $window->open();

        return [];
    }),

    new Behaviour('tick functions', static function (Identity $who, Window $window): array {
        $ticks = 0;
        $tick = static function () use (&$ticks): void {
            $ticks++;
        };
        register_tick_function($tick);
        $window->open();
        $sum = Weft\IsolationTests\Lazy\ticking();
        unregister_tick_function($tick);

        return [$ticks, $sum];
    }),

    new Behaviour('default stream context', static function (Identity $who, Window $window): array {
        stream_context_set_default(['http' => ['user_agent' => $who->tag(), 'method' => $who->choose('PUT', 'POST')]]);
        $window->open();

        return stream_context_get_options(stream_context_get_default());
    }),

    new Behaviour('stream contexts of the boot', static function (Identity $who, Window $window): array {
        $kept = Kept::get('context', ArrayObject::class)['context'];
        if (!is_resource($kept)) {
            return [];
        }
        $before = stream_context_get_params($kept);
        stream_context_set_option($kept, 'http', 'header', "Authorization: {$who->tag()}");
        stream_context_set_params($kept, ['notification' => static fn (): string => $who->tag()]);
        $window->open();
        $after = stream_context_get_params($kept);
        $notification = $after['notification'];

        return [$before, is_callable($notification) ? $notification() : null, $after['options']];
    }, setUp: static fn () => Kept::keep('context', new ArrayObject(['context' => stream_context_create(['http' => ['method' => 'PUT']])]))),

    new Behaviour('stream wrappers', static function (Identity $who, Window $window): array {
        $before = in_array('visitor', stream_get_wrappers(), true);
        Wrapper::$content = "content of {$who->tag()}";
        stream_wrapper_register('visitor', Wrapper::class);
        $window->open();
        $seen = file_get_contents('visitor://x');
        stream_wrapper_unregister('visitor');
        $window->open();

        return [$before, $seen, in_array('visitor', stream_get_wrappers(), true)];
    }),

    new Behaviour('stream wrappers unregistered', static function (Identity $who, Window $window): array {
        if ($who->isEven()) {
            stream_wrapper_unregister('data');
        }
        $window->open();
        $there = in_array('data', stream_get_wrappers(), true);
        if ($who->isEven()) {
            stream_wrapper_restore('data');
        }

        return [$there, file_get_contents('data:text/plain,x')];
    }),

    new Behaviour('stream filters', static function (Identity $who, Window $window): array {
        $before = in_array('visitor.*', stream_get_filters(), true);
        stream_filter_register('visitor.*', Upper::class);
        $window->open();
        $file = fopen('php://memory', 'w+');
        if ($file === false) {
            return [];
        }
        stream_filter_append($file, "visitor.{$who->number}", STREAM_FILTER_WRITE);
        fwrite($file, "text of {$who->tag()}");
        rewind($file);

        return [$before, stream_get_contents($file)];
    }),

    new Behaviour('autoloaders', static function (Identity $who, Window $window): array {
        $before = count(spl_autoload_functions());
        $asked = [];
        $loader = static function (string $class) use (&$asked, $who): void {
            if (str_starts_with($class, 'Nowhere\\')) {
                $asked[] = "{$who->tag()} asked for $class";
            }
        };
        spl_autoload_register($loader);
        $window->open();
        class_exists("Nowhere\\For{$who->number}");
        class_exists("Nowhere\\Again{$who->number}");
        $count = count(spl_autoload_functions());
        spl_autoload_unregister($loader);

        return [$count - $before, $asked];
    }),

    new Behaviour('constants defined at run time', static function (Identity $who, Window $window): array {
        $before = defined('VISITOR_OF_THE_REQUEST');
        define('VISITOR_OF_THE_REQUEST', $who->tag());
        $window->open();

        return [$before, constant('VISITOR_OF_THE_REQUEST')];
    }),

    new Behaviour('defaults of bcmath, intl and iconv', static function (Identity $who, Window $window): array {
        $before = [bcscale(), Locale::getDefault()];
        bcscale($who->number);
        Locale::setDefault($who->locale());
        $window->open();

        return [$before, bcscale(), bcdiv('1', '3'), Locale::getDefault(), (new NumberFormatter(Locale::getDefault(), NumberFormatter::DECIMAL))->format(1234.5)];
    }),

    new Behaviour('last errors of intl and openssl', static function (Identity $who, Window $window): array {
        while (openssl_error_string() !== false) {
        }
        if ($who->isEven()) {
            $failed = collator_create('nonsense-locale-' . str_repeat('x', 300)) === null;
            openssl_pkey_get_public('nonsense');
        } else {
            $failed = collator_create('de') === null;
        }
        $window->open();

        return [$failed, intl_get_error_code(), $who->isEven() === (openssl_error_string() !== false)];
    }),

    new Behaviour('garbage collector switched off', static function (Identity $who, Window $window): array {
        $before = gc_enabled();
        $who->isEven() ? gc_disable() : gc_enable();
        $window->open();
        $seen = gc_enabled();
        gc_enable();

        return [$before, $seen];
    }),

    new Behaviour('ticks counted across a switch', static function (Identity $who, Window $window): array {
        $ticks = [];
        $step = 0;
        $tick = static function () use (&$ticks, &$step): void {
            $ticks[] = $step;
        };
        register_tick_function($tick);
        Weft\IsolationTests\Lazy\every_fifth($step, $window->open(...));
        unregister_tick_function($tick);

        return array_map(static fn (int $one, int $next): int => $next - $one, array_slice($ticks, 0, -1), array_slice($ticks, 1));
    }),

    new Behaviour('abort and time limits', static function (Identity $who, Window $window): array {
        $before = ignore_user_abort();
        ignore_user_abort($who->isEven());
        $window->open();

        return [$before, ignore_user_abort(), connection_status(), connection_aborted()];
    }),

    new Behaviour('alarms and signal handlers', static function (Identity $who, Window $window): array {
        $before = pcntl_signal_get_handler(SIGUSR2);
        pcntl_signal(SIGUSR2, static fn (): string => $who->tag());
        $window->open();
        $handler = pcntl_signal_get_handler(SIGUSR2);
        $left = pcntl_alarm(100 + $who->number);
        $window->open();

        return [$before, is_callable($handler) ? $handler() : $handler, $left, pcntl_alarm(0) > 90 + $who->number];
    }, mechanism: 'signals'),

    new Behaviour('report mode of mysqli', static function (Identity $who, Window $window): array {
        $before = (new mysqli_driver())->report_mode;
        mysqli_report($who->choose(MYSQLI_REPORT_OFF, MYSQLI_REPORT_STRICT));
        $window->open();

        return [$before, (new mysqli_driver())->report_mode];
    }),

    new Behaviour('default connection of pgsql', static function (Identity $who, Window $window): array {
        $connection = pg_connect(
            sprintf('host=127.0.0.1 port=%s dbname=%s user=laravel application_name=%s', getenv('DB_PORT'), getenv('DB_DATABASE'), $who->tag()),
            PGSQL_CONNECT_FORCE_NEW,
        );
        $window->open();
        // without naming the connection: the last one that was opened
        $answer = @pg_query('show application_name');

        return [$connection !== false, $answer === false ? false : pg_fetch_result($answer, 0, 0)];
    }),

    new Behaviour('persistent connections', static function (Identity $who, Window $window): array {
        $connection = pg_pconnect(sprintf('host=127.0.0.1 port=%s dbname=%s user=laravel', getenv('DB_PORT'), getenv('DB_DATABASE')));
        if ($connection === false) {
            return [];
        }
        pg_query($connection, "set application_name = '{$who->tag()}'");
        $window->open();
        $answer = pg_query($connection, 'show application_name');

        return [$answer === false ? false : pg_fetch_result($answer, 0, 0)];
    }),

    new Behaviour('assertions', static function (Identity $who, Window $window): array {
        $before = @assert_options(ASSERT_CALLBACK);
        ini_set('assert.exception', $who->choose('1', '0'));
        ini_set('assert.warning', '0');
        @assert_options(ASSERT_CALLBACK, static fn (): string => $who->tag());
        $window->open();
        $callback = @assert_options(ASSERT_CALLBACK);

        return [$before, is_callable($callback) ? $callback() : $callback, ini_get('assert.exception'), ini_get('assert.warning')];
    }),

    new Behaviour('files included once', static function (Identity $who, Window $window): array {
        $directory = sys_get_temp_dir();
        $file = "$directory/weft-isolation-once-{$who->behaviour}.php";
        if (!is_file($file)) {
            file_put_contents($own = (string) tempnam($directory, 'weft'), '<?php return "executed";');
            rename($own, $file);
        }
        $first = include_once $file;
        $window->open();
        $second = require_once $file;
        $window->open();

        return [$first, $second, count(array_filter(get_included_files(), static fn (string $name): bool => $name === $file))];
    }),

    new Behaviour('text domain of gettext', static function (Identity $who, Window $window): array {
        textdomain($who->tag());
        bindtextdomain('visitors', sys_get_temp_dir());
        bind_textdomain_codeset('visitors', $who->choose('UTF-8', 'ISO-8859-1'));
        $window->open();

        return [textdomain(null)];
    }),

    new Behaviour('caches of paths and file states', static function (Identity $who, Window $window): array {
        $file = sys_get_temp_dir() . "/weft-isolation-stat-{$who->tag()}-" . getmypid() . "-$who->round";
        file_put_contents($file, str_repeat('x', 10 + $who->number));
        $size = filesize($file);
        $window->open();
        unlink($file);
        clearstatcache();

        return [$size, file_exists($file)];
    }, holdsAnyway: 'a cache of what the file system says'),

    new Behaviour('static options of the framework\'s packages', static function (Identity $who, Window $window): array {
        Symfony\Component\VarDumper\VarDumper::setHandler(static fn (): string => $who->tag());
        $window->open();
        $handler = Symfony\Component\VarDumper\VarDumper::setHandler(null);

        return [is_callable($handler) ? $handler() : null];
    }),

    new Behaviour('class aliases and classes declared at run time', static function (Identity $who, Window $window): array {
        if (!class_exists('VisitorAlias', false)) {
            class_alias(Wrapper::class, 'VisitorAlias');
        }
        $window->open();

        return [class_exists('VisitorAlias', false), App::bound('VisitorAlias')];
    }, holdsAnyway: 'classes belong to the worker; that a class exists already is documented'),
];
