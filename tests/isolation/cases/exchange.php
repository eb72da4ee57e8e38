<?php

declare(strict_types=1);

// What a client sends and what it gets: input, headers, output, the end of a response, the session.

use Weft\IsolationTests\Behaviour;
use Weft\IsolationTests\Effects;
use Weft\IsolationTests\Identity;
use Weft\IsolationTests\Visit;
use Weft\IsolationTests\Window;

return [
    new Behaviour('superglobals', static function (Identity $who, Window $window): array {
        $window->open();
        $seen = [$_GET, $_POST['field'] ?? null, $_COOKIE['visitor'] ?? null, $_REQUEST['q'] ?? null, $_SERVER['REQUEST_URI'] ?? null, $_SERVER['HTTP_X_VISITOR'] ?? null];
        $_GET['added'] = $_POST['added'] = $_COOKIE['added'] = $_SERVER['ADDED'] = $_ENV['ADDED'] = $_FILES['added'] = $_REQUEST['added'] = $who->tag();
        $window->open();

        return [$seen, $_GET['added'], $_POST['added'], $_COOKIE['added'], $_SERVER['ADDED'], $_ENV['ADDED'], $_FILES['added'], $_REQUEST['added']];
    }, visit: static fn (Identity $who): Visit => new Visit(
        $who,
        query: ['q' => $who->tag('query')],
        fields: ['field' => $who->tag('field')],
        headers: ['X-Visitor' => $who->tag()],
        cookies: ['visitor' => $who->tag('cookie')],
    )),

    new Behaviour('global variables', static function (Identity $who, Window $window): array {
        global $visitorOfTheRequest;
        $before = [$visitorOfTheRequest, $GLOBALS['visitor'] ?? null];
        $visitorOfTheRequest = $who->tag();
        $GLOBALS['visitor'] = ['a' => $who->tag()];
        $GLOBALS["of-{$who->tag()}"] = 1;
        $window->open();

        return [
            $before,
            $visitorOfTheRequest,
            $GLOBALS['visitor'],
            count(array_filter(array_keys($GLOBALS), static fn (mixed $name): bool => str_starts_with((string) $name, 'of-'))),
        ];
    }),

    new Behaviour('response code', static function (Identity $who, Window $window): array {
        http_response_code(300 + $who->number);
        $window->open();

        return [http_response_code()];
    }, visit: static fn (Identity $who): Visit => new Visit($who)),

    new Behaviour('headers', static function (Identity $who, Window $window): array {
        header_remove();
        header("X-Visitor: {$who->tag()}");
        header("X-Of-{$who->tag()}: 1", false);
        setcookie('plain', $who->tag(), 0, '/');
        $window->open();
        header('X-Late: ' . $who->tag(), true);
        header_register_callback(static fn () => header("X-Callback: {$who->tag()}"));
        $window->open();

        return [array_values(array_filter(headers_list(), static fn (string $line): bool => stripos($line, 'powered') === false)), headers_sent()];
    }, http: true),

    new Behaviour('request body and its headers', static function (Identity $who, Window $window): array {
        $window->open();

        return [file_get_contents('php://input'), getallheaders()['X-Visitor'] ?? null, request()->getContent(), $_SERVER['CONTENT_LENGTH'] ?? null];
    }, visit: static fn (Identity $who): Visit => new Visit($who, fields: ['a' => $who->tag()], headers: ['X-Visitor' => $who->tag()]), http: true),

    new Behaviour('input that is filtered', static function (Identity $who, Window $window): array {
        $window->open();

        return [filter_input(INPUT_GET, 'q'), filter_has_var(INPUT_GET, $who->tag()), filter_input_array(INPUT_COOKIE), filter_input(INPUT_SERVER, 'HTTP_X_VISITOR')];
    }, visit: static fn (Identity $who): Visit => new Visit(
        $who,
        query: ['q' => $who->tag('query'), $who->tag() => '1'],
        headers: ['X-Visitor' => $who->tag()],
        cookies: ['visitor' => $who->tag('cookie')],
    ), http: true),

    new Behaviour('output before the response', static function (Identity $who, Window $window): string {
        echo "echoed by {$who->tag()}, ";
        $window->open();
        echo "twice by {$who->tag()}, ";
        $window->open();

        return "returned by {$who->tag()}";
    }, http: true),

    new Behaviour('exit in the middle', static function (Identity $who, Window $window): string {
        echo "left by {$who->tag()}";
        register_shutdown_function(static function () use ($who, $window): void {
            $window->open();
            echo " and a shutdown function of {$who->tag()}";
            Effects::add($who, 'shut down', http_response_code());
        });
        $window->open();
        http_response_code(202);
        exit;
    }, http: true),

    new Behaviour('streamed output with flush', static fn (Identity $who, Window $window): mixed => response()->stream(static function () use ($who, $window): void {
        for ($piece = 1; $piece <= 5; $piece++) {
            echo str_repeat("{$who->tag()} $piece ", 500), "\n";
            flush();
            $window->open();
        }
    }, 200, ['X-Visitor' => $who->tag()]), http: true),

    new Behaviour('native session', static function (Identity $who, Window $window): array {
        session_name("native{$who->number}");
        session_id(sprintf('%032d%s', getmypid(), md5("{$who->number}/$who->round/$who->step")));
        session_save_path(sys_get_temp_dir());
        session_start(['use_cookies' => 0, 'cache_limiter' => '']);
        $_SESSION['visitor'] = $who->tag();
        $window->open();
        $seen = [$_SESSION['visitor'], session_name(), session_status(), ini_get('session.use_cookies'), session_module_name()];
        session_destroy();
        $window->open();

        return [$seen, session_status()];
    }),

    new Behaviour('output buffers with callbacks', static function (Identity $who, Window $window): array {
        $level = ob_get_level();
        ob_start(static fn (string $text): string => "{$who->tag()}($text)");
        echo 'outer';
        $window->open();
        ob_start(static fn (string $text): string => strtoupper($text));
        echo " inner {$who->tag()}";
        $window->open();
        $levels = [ob_get_level() - $level, ob_get_length(), count(ob_get_status(true)) - $level];
        ob_end_flush();
        $window->open();
        ob_start();
        echo 'thrown away';
        ob_end_clean();
        ob_start();
        ob_end_flush();
        $text = ob_get_contents();
        ob_end_clean();

        return [$levels, $text, ob_get_level() - $level];
    }, holdsAnyway: 'output buffers belong to the coroutine'),

    new Behaviour('output rewriting and implicit flush', static function (Identity $who, Window $window): array {
        $level = ob_get_level();
        ob_start(); // in a coroutine, a rewriter without a buffer of its own below belongs to the request
        if ($who->isEven()) {
            output_add_rewrite_var('visitor', $who->tag());
        }
        $window->open();
        ob_start();
        ob_implicit_flush($who->isEven());
        $status = array_map(static fn (mixed $one): mixed => is_array($one) ? $one['name'] ?? null : null, ob_get_status(true));
        ob_end_clean();
        output_reset_rewrite_vars();
        while (ob_get_level() > $level) {
            ob_end_clean();
        }

        return [in_array('URL-Rewriter', $status, true)];
    }),
];
