<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

/**
 * A debugger's side of DBGp, as small as can be: Xdebug sends "length NUL xml NUL", and gets "command NUL".
 */
final class StepDebuggerTest extends LaravelTestCase
{
    private const APPLICATION = __DIR__ . '/applications/steps.php';
    private const LINE = 9;

    public function testARequestWithTheTriggerStopsAtABreakpointAndOneWithoutDoesNot(): void
    {
        $xdebug = getenv('WEFT_XDEBUG') ?: ini_get('extension_dir') . '/xdebug.so';
        if (!is_file($xdebug)) {
            self::markTestSkipped("There is no $xdebug (the package php-xdebug; WEFT_XDEBUG names another file).");
        }
        $listener = stream_socket_server('tcp://127.0.0.1:0');
        self::assertIsResource($listener);
        $port = (string) strrchr((string) stream_socket_get_name($listener, false), ':');
        $server = $this->serve([
            '--workers=1', '-d', "zend_extension=$xdebug", '-d', 'xdebug.mode=debug', '-d', 'xdebug.start_with_request=trigger',
            '-d', 'xdebug.client_host=127.0.0.1', '-d', 'xdebug.client_port=' . substr($port, 1),
        ], application: self::APPLICATION);

        self::assertSame("sum 2\n", (new Browser($server->url))->get('/')->body);
        self::assertFalse(@stream_socket_accept($listener, 0), 'Nobody has asked for a debugger');

        $request = stream_socket_client(str_replace('http', 'tcp', $server->url));
        self::assertIsResource($request);
        fwrite($request, "GET /?number=41&XDEBUG_TRIGGER=1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        $debugged = stream_socket_accept($listener, 20);
        self::assertIsResource($debugged);
        stream_set_timeout($debugged, 20);
        self::assertStringContainsString('<init ', self::receive($debugged));

        fwrite($debugged, 'breakpoint_set -i 1 -t line -f file://' . self::APPLICATION . ' -n ' . self::LINE . "\0");
        self::assertStringContainsString('transaction_id="1"', self::receive($debugged));
        fwrite($debugged, "run -i 2\0");
        self::assertMatchesRegularExpression('/status="break".*lineno="' . self::LINE . '"/s', self::receive($debugged));
        // while it stands there nothing else runs in the worker
        $other = stream_socket_client(str_replace('http', 'tcp', $server->url));
        self::assertIsResource($other);
        fwrite($other, "GET /?number=5 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        fwrite($debugged, "property_get -i 3 -n \$one\0");
        self::assertStringContainsString('type="int"', self::receive($debugged));
        fwrite($debugged, "detach -i 4\0");
        self::assertStringEndsWith("\r\n\r\nsum 42\n", (string) stream_get_contents($request));
        self::assertStringEndsWith("\r\n\r\nsum 6\n", (string) stream_get_contents($other));
    }

    /** @param resource $connection */
    private static function receive($connection): string
    {
        $length = (int) stream_get_line($connection, 20, "\0");
        $packet = '';
        while (strlen($packet) <= $length && !feof($connection)) {
            $packet .= fread($connection, max(1, $length + 1 - strlen($packet)));
            if (stream_get_meta_data($connection)['timed_out']) {
                break;
            }
        }

        return $packet;
    }
}
