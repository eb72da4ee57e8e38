<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use Weft\TestSupport\Program;

/**
 * HTTPS as curl, openssl and PHP's own streams see it.
 */
final class TlsTest extends TlsCase
{
    public function testRequestsAndAnswersOfAnySizeAndEachVersion(): void
    {
        $server = $this->serve(['--workers=1', '--hsts=31536000; includeSubDomains']);

        $is = json_decode($this->curl('/'), true);
        self::assertIsArray($is);
        self::assertSame(['on', 'https', $this->port(), 'TLSv1.3', 'localhost'], [
            $is['HTTPS'] ?? '', $is['REQUEST_SCHEME'] ?? '', $is['SERVER_PORT'] ?? '', $is['SSL_PROTOCOL'] ?? '', $is['SSL_TLS_SNI'] ?? '',
        ]);
        self::assertArrayNotHasKey('SSL_CLIENT_VERIFY', $is);
        self::assertStringContainsString('"SSL_PROTOCOL":"TLSv1.2"', $this->curl('/', ['--tls-max', '1.2']));
        self::assertSame('', $this->curl('/', ['--tls-max', '1.1', '--ciphers', 'DEFAULT:@SECLEVEL=0']));
        self::assertSame(md5(str_repeat(md5('big'), 100_000)), md5($this->curl('/big')));
        self::assertSame(md5(str_repeat(md5('big'), 100_000)), md5($this->curl('/big', ['--limit-rate', '20M'])));
        file_put_contents("{$this->certificates->directory}/upload", str_repeat('0123456789', 100_000));
        self::assertSame('1000000', $this->curl('/length', ['--data-binary', "@{$this->certificates->directory}/upload", '-H', 'Content-Type: application/octet-stream']));
        self::assertStringContainsString("\r\nStrict-Transport-Security: max-age=31536000; includeSubDomains\r\n", $this->curl('/', ['-i']));
        foreach (['--http1.1', '--http2'] as $protocol) {
            preg_match_all('/^strict-transport-security: (.*)\r$/mi', $this->curl('/hsts', ['-i', $protocol]), $told);
            self::assertSame(['max-age=1'], $told[1], "the application's own, and no other: $protocol");
        }
        self::assertMatchesRegularExpression('/Connection #0 to host \S+ left intact/', $this->curl('/', ['-v', '--stderr', '-', "https://localhost:{$this->port()}/"]));
        self::assertSame('the parent says', $this->curl('/fork'), 'a forked child has no say');
        self::assertSame("weft: TLS with 127.0.0.1 was not begun: unsupported protocol\n", $server->errors());
    }

    public function testTheNameAskedForChoosesTheCertificate(): void
    {
        [$first, $firstKey] = $this->certificates->make('a.test', 'a');
        [$second, $secondKey] = $this->certificates->make('b.test', 'b', rsa: true);
        $this->server = ServerProcess::serving(self::APP, ['--workers=1', "--tls-cert=$first,$second", "--tls-key=$firstKey,$secondKey"]);

        self::assertSame(['a.test', 'b.test', 'a.test'], array_map($this->nameOfCertificate(...), ['a.test', 'b.test', 'c.test']));
    }

    public function testASessionIsResumedByAnotherWorkerAndAfterAReload(): void
    {
        $server = $this->serve(['--workers=2']);
        $session = "{$this->certificates->directory}/session";

        foreach (['-tls1_3', '-tls1_2'] as $version) {
            self::assertStringContainsString("\nNew, TLSv1", $this->openssl([$version, '-sess_out', $session]));
            $more = [];
            for ($i = 0; $i < 4; $i++) {
                $more[] = preg_match('/^Reused, TLSv1/m', $this->openssl([$version, '-sess_in', $session]));
            }
            self::assertSame([1, 1, 1, 1], $more);
        }
        $server->signal(SIGHUP);
        $server->eventually('it has reloaded', static fn (): bool => str_contains($server->errors(), 'weft: reloaded'));
        self::assertStringContainsString("\nReused, TLSv1.2", $this->openssl(['-tls1_2', '-sess_in', $session]));
    }

    public function testACertificateIsRenewedWithoutARestart(): void
    {
        $server = $this->serve(['--workers=2']);
        $open = $this->connect();
        $worker = $server->workers();
        $this->certificates->make('new.test');

        $server->eventually('the new certificate is shown', fn (): bool => $this->nameOfCertificate('localhost') === 'new.test');

        self::assertSame('new.test', $this->nameOfCertificate('localhost'), 'by every worker');
        self::assertSame($worker, $server->workers());
        fwrite($open, "GET /length HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        self::assertStringStartsWith('HTTP/1.1 200 OK', (string) stream_get_contents($open), 'a connection from before goes on');
        self::assertStringContainsString('weft: certificates: read anew', $server->errors());
        file_put_contents("{$this->certificates->directory}/server.crt", 'half of a cert');
        $server->signal(SIGHUP);
        $server->eventually('it has reloaded', static fn (): bool => str_contains($server->errors(), 'weft: reloaded'));
        self::assertStringContainsString('server.crt holds no certificate in PEM form (--tls-cert)', $server->errors());
        self::assertStringContainsString('The certificates that were read before stay in use.', $server->errors());
        self::assertSame('new.test', $this->nameOfCertificate('localhost'));
        [$whole] = $this->certificates->make('whole.test');
        file_put_contents($whole, substr((string) file_get_contents($this->certificates->authority()), 0, 300), FILE_APPEND);
        $server->signal(SIGHUP);
        $server->eventually('it has said so', static fn (): bool => substr_count($server->errors(), 'stay in use.') >= 2);
        self::assertSame('new.test', $this->nameOfCertificate('localhost'), 'one with half of an intermediate is not taken');
    }

    public function testRefusalsOfTheServerAreForHttpsOnlyToo(): void
    {
        $this->serve(['--workers=1', '--hsts=31536000', '-d', 'weft.http_header_timeout_ms=500']);
        $line = 'Strict-Transport-Security: max-age=31536000';

        foreach (['400' => ['--request-target', '/a#b'], '417' => ['-H', 'Expect: a miracle']] as $status => $options) {
            $answer = $this->curl('/', ['-i', ...$options]);
            self::assertStringStartsWith("HTTP/1.1 $status ", $answer);
            self::assertStringContainsString("\r\n$line\r\n", $answer);
        }
        $answer = $this->curl('/', ['-i', '--http2', '-H', 'Expect: a miracle']);
        self::assertStringStartsWith('HTTP/2 417 ', $answer);
        self::assertStringContainsString("\r\nstrict-transport-security: max-age=31536000\r\n", $answer);
        $slow = $this->connect();
        fwrite($slow, "GET / HTTP/1.1\r\nHost: loc");
        $answer = (string) stream_get_contents($slow);
        self::assertStringStartsWith('HTTP/1.1 408 ', $answer);
        self::assertStringContainsString("\r\n$line\r\n", $answer);
    }

    public function testPlainHttpIsToldThatThisIsHttps(): void
    {
        $this->serve(['--workers=1', '--hsts=31536000']);
        $socket = stream_socket_client("tcp://127.0.0.1:{$this->port()}");
        self::assertIsResource($socket);

        fwrite($socket, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");

        $answer = (string) stream_get_contents($socket);
        self::assertStringStartsWith("HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain", $answer);
        self::assertStringNotContainsString('Strict-Transport-Security', $answer, 'it is not for plain HTTP (RFC 6797, 7.2)');
        self::assertStringEndsWith("\r\n\r\nThis port speaks HTTPS only: use https:// in the address.\n", $answer);
    }

    public function testTlsOnAPlainPortIsTold(): void
    {
        $this->server = $server = ServerProcess::serving(self::APP, ['--workers=1']);
        $socket = stream_socket_client("tcp://{$server->address()}");
        self::assertIsResource($socket);

        fwrite($socket, "\x16\x03\x01\x00\x40\x01\x00\x00\x3c\x03\x03" . random_bytes(58));

        self::assertSame('', stream_get_contents($socket), 'no garbage');
        $server->eventually('it is told', static fn (): bool => preg_match('~weft: 127.0.0.1 speaks TLS \(https://\) to port \d+, which has none~', $server->errors()) === 1);
    }

    public function testAClientSeesWhetherAnAnswerIsWhole(): void
    {
        $this->serve(['--workers=1']);

        self::assertStringNotContainsString('unexpected eof', $this->openssl([], "GET / HTTP/1.0\r\n\r\n"));
        $cut = $this->openssl([], "GET /cut HTTP/1.0\r\n\r\n");
        self::assertStringContainsString(str_repeat('x', 100_000), $cut);
        self::assertStringContainsString('unexpected eof', $cut, 'no close_notify');
    }

    public function testARequestThatIsCutOffIsNone(): void
    {
        $server = $this->serve(['--workers=1']);
        $client = $this->connect();

        fwrite($client, "POST /length HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n12345");
        stream_socket_shutdown($client, STREAM_SHUT_WR);

        self::assertSame('', stream_get_contents($client));
        self::assertSame('1', $this->curl('/length', ['--data-binary', '1', '-H', 'Content-Type: text/plain']));
        self::assertStringNotContainsString('POST /length 200 5', $server->output());
    }

    public function testSlowHandshakesAreGivenUp(): void
    {
        $this->serve(['--workers=1', '-d', 'weft.http_handshake_timeout_ms=1000']);
        $silent = stream_socket_client("tcp://127.0.0.1:{$this->port()}");
        $slow = stream_socket_client("tcp://127.0.0.1:{$this->port()}");
        self::assertIsResource($silent);
        self::assertIsResource($slow);

        fwrite($slow, "\x16\x03\x01\x02\x00\x01\x00");

        self::assertSame(['', ''], [stream_get_contents($silent), stream_get_contents($slow)]);
        self::assertStringContainsString('"HTTPS":"on"', $this->curl('/'));
    }

    public function testAClientThatTakesNothingIsGivenUpAndOneThatHangsUpCancels(): void
    {
        $server = $this->serve(['--workers=1', '--concurrency=1', '-d', 'weft.http_write_timeout_ms=200', '-d', 'weft.http_hang_up=cancel', '-d', 'weft.http_spool=0']);
        $lazy = $this->connect();

        fwrite($lazy, str_repeat("GET /big HTTP/1.1\r\nHost: localhost\r\n\r\n", 4));
        self::assertStringContainsString('"HTTPS":"on"', $this->curl('/'), 'the only place is free again');
        self::assertLessThan(4 * 3_200_000, strlen((string) @stream_get_contents($lazy)));

        $hasty = $this->connect();
        fwrite($hasty, 'GET /wait?events=' . rawurlencode($server->file('events')) . " HTTP/1.1\r\nHost: localhost\r\n\r\n");
        $server->eventually('it runs', static fn (): bool => $server->events() === ['begun']);
        fclose($hasty);
        $server->eventually('its request has ended', static fn (): bool => $server->events() === ['begun', 'ended']);
    }

    public function testASecondPortRedirectsAndAnswersAuthorities(): void
    {
        mkdir("{$this->certificates->directory}/web/.well-known/acme-challenge", 0o755, true);
        file_put_contents("{$this->certificates->directory}/web/.well-known/acme-challenge/token_1", 'token_1.print');
        $server = $this->serve(['--workers=1', '--http-redirect=0', "--acme-webroot={$this->certificates->directory}/web"]);
        preg_match('~http://(\S+) sends clients to https://~', $server->output(), $match);
        $plain = 'http://' . ($match[1] ?? '');

        self::assertStringContainsString("\r\nLocation: https://127.0.0.1:{$this->port()}/a?b=c\r\n", $this->curl("$plain/a?b=c", ['-i']));
        self::assertStringStartsWith('HTTP/1.1 308 ', $this->curl("$plain/a", ['-i', '--data', 'x']));
        self::assertStringContainsString("\r\nLocation: https://127.0.0.1:{$this->port()}/\r\n", $this->curl($plain, ['-i', '-X', 'OPTIONS', '--request-target', '*']));
        self::assertStringStartsWith('HTTP/1.1 400 ', $this->curl($plain, ['-i', '-H', 'Host;']));
        self::assertStringNotContainsString('REQUEST_SCHEME', $this->curl($plain, ['--http2-prior-knowledge']), 'the application is not served here');
        self::assertSame('token_1.print', $this->curl("$plain/.well-known/acme-challenge/token_1"));
        self::assertStringStartsWith('HTTP/1.1 301 ', $this->curl("$plain/.well-known/acme-challenge/..%2f..%2fserver.key", ['-i', '--path-as-is']));
        self::assertStringStartsWith('HTTP/1.1 301 ', $this->curl("$plain/.well-known/acme-challenge/token_2", ['-i']));
    }

    public function testASelfSignedCertificateForDevelopment(): void
    {
        $this->server = $server = ServerProcess::serving(self::APP, ['--workers=1', '--tls=self-signed', "--control={$this->certificates->directory}/control"]);
        $file = dirname(__DIR__, 3) . '/var/tls/self-signed';

        $is = Program::run(['curl', '-sS', '--cacert', "$file.crt", "https://localhost:{$this->port()}/"]);
        self::assertStringContainsString('"HTTPS":"on"', $is[1], $is[2]);
        [, $status] = Program::run([PHP_BINARY, dirname(__DIR__, 3) . '/bin/weft', 'status', "--control={$this->certificates->directory}/control"]);
        self::assertStringContainsString("https://127.0.0.1:{$this->port()}", $status);
        self::assertSame(0o600, (int) fileperms("$file.key") & 0o777);
        self::assertSame('', $server->errors());
        $server->signal(SIGHUP);
        $server->eventually('it has reloaded', static fn (): bool => str_contains($server->errors(), 'weft: reloaded'));
        self::assertStringNotContainsString('read anew', $server->errors(), 'nothing of it has changed');
    }

    public function testASelfSignedCertificateIsRenewedWhileItIsServed(): void
    {
        $file = dirname(__DIR__, 3) . '/var/tls/self-signed-127.0.0.77';
        $old = $this->endsInAMonthAnd(9, $file);
        try {
            $this->server = $server = ServerProcess::serving(self::APP, ['--workers=1', '--tls=self-signed', '--host=127.0.0.77']);
            self::assertSame($old, file_get_contents("$file.crt"), 'it will do for now');

            $server->eventually('it is renewed', static fn (): bool => str_contains($server->errors(), 'weft: certificates: read anew'));

            preg_match('~https://127\.0\.0\.77:(\d+)~', $server->output(), $port);
            $is = Program::run(['curl', '-sS', '--cacert', "$file.crt", 'https://127.0.0.77:' . ($port[1] ?? '')]);
            self::assertStringContainsString('"HTTPS":"on"', $is[1], $is[2]);
            $end = openssl_x509_parse((string) file_get_contents("$file.crt"))['validTo_time_t'] ?? 0;
            self::assertGreaterThan(time() + 300 * 86400, $end);
        } finally {
            array_map(unlink(...), ["$file.crt", "$file.key"]);
        }
    }

    /** Makes a pair. What `openssl` makes ends in whole days, so its end is changed, and its signature is none any more. */
    private function endsInAMonthAnd(int $seconds, string $file): string
    {
        @mkdir(dirname($file), 0o700);
        Program::run(['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '40', '-subj', '/CN=localhost',
            '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1,IP:127.0.0.77', '-keyout', "$file.key", '-out', "$file.pem"]);
        Program::run(['openssl', 'x509', '-in', "$file.pem", '-outform', 'der', '-out', "$file.der"]);
        $made = (string) file_get_contents("$file.der");
        preg_match_all('/\d{12}Z/', $made, $times);
        $ends = gmdate('ymdHis', time() + 30 * 86400 + $seconds) . 'Z';
        $pem = "-----BEGIN CERTIFICATE-----\n" . chunk_split(base64_encode(str_replace(max(['', ...$times[0]]), $ends, $made)), 64, "\n") . "-----END CERTIFICATE-----\n";
        file_put_contents("$file.crt", $pem);
        array_map(unlink(...), ["$file.pem", "$file.der"]);

        return $pem;
    }

    public function testAKeyThatOnlyRootReadsIsEnough(): void
    {
        if (posix_geteuid() !== 0 || !UserTest::isOpen(dirname(__DIR__, 3))) {
            self::markTestSkipped('needs root, and a checkout that others can read');
        }
        $app = "{$this->certificates->directory}/app.php";
        copy(self::APP, $app);
        [$certificate, $key] = $this->certificates->make('localhost');
        mkdir($private = "{$this->certificates->directory}/private", 0o700);
        mkdir($run = "{$this->certificates->directory}/run", 0o700);
        chown($run, 'nobody');
        rename($key, "$private/key");
        rename($certificate, "$private/certificate");
        $tls = ["--tls-cert=$private/certificate", "--tls-key=$private/key"];
        $this->server = $server = ServerProcess::serving($app, ['--workers=1', '--user=nobody', "--control=$run/control", ...$tls]);

        self::assertSame('', $this->curl("/key?file=$private/key"));
        [$certificate, $key] = $this->certificates->make('new.test');
        rename($key, "$private/key");
        rename($certificate, "$private/certificate");
        $server->eventually('the new certificate is shown', fn (): bool => $this->nameOfCertificate('localhost') === 'new.test');
        foreach ($server->family() as $pid) {
            preg_match('/^CapEff:\s*(\S+)/m', (string) file_get_contents("/proc/$pid/status"), $effective);
            self::assertSame('0000000000000000', $effective[1] ?? '');
        }
        self::assertSame([0, "Restarted.\n", ''], Program::run([PHP_BINARY, dirname(__DIR__, 3) . '/bin/weft', 'restart', "--control=$run/control"]));
        self::assertSame('', $this->curl("/key?file=$private/key", ['--insecure']));
        self::assertSame('new.test', $this->nameOfCertificate('localhost'));
    }

    /**
     * @return iterable<string, array{list<string>, string}>
     */
    public static function wrongUsage(): iterable
    {
        $file = __FILE__;
        yield 'a key without its certificate' => [["--tls-key=$file"], "--tls-key=$file: a key is of no use without its certificate. Name that as well: --tls-cert=FILE."];
        yield 'more certificates than keys' => [["--tls-cert=$file,$file", "--tls-key=$file"], 'there are 2 certificates and 1 keys'];
        yield 'a certificate that is not there' => [['--tls-cert=/nowhere'], '--tls-cert must be the path of a file that exists, or several with commas between, not "/nowhere".'];
        yield 'a key that is not there' => [["--tls-cert=$file", '--tls-key=/nowhere.key'], '--tls-key must be the path of a file that exists'];
        yield 'another kind of TLS' => [['--tls=on'], '--tls must be "self-signed", not "on". A certificate is named by --tls-cert=FILE.'];
        yield 'one made here, and one named' => [['--tls=self-signed', "--tls-cert=$file"], 'leave one of them out'];
        yield 'HSTS without TLS' => [['--hsts=1'], '--hsts is for HTTPS, which needs a certificate'];
        yield 'HSTS for ever' => [["--tls-cert=$file", '--hsts=ever'], '--hsts must be a number of seconds'];
        yield 'HSTS with a line of its own' => [["--tls-cert=$file", "--hsts=1\r\nX: y"], '--hsts must be a number of seconds'];
        yield 'a redirect to nowhere' => [['--http-redirect=80'], '--http-redirect is for HTTPS, which needs a certificate'];
        yield 'a redirect from no port' => [["--tls-cert=$file", '--http-redirect=65536'], '--http-redirect must be a port'];
        yield 'clients of nobody' => [["--tls-cert=$file", '--tls-client=optional'], 'say whose certificates are good, too: --tls-client-ca=FILE.'];
        yield 'clients who may' => [["--tls-cert=$file", "--tls-client-ca=$file", '--tls-client=perhaps'], '--tls-client must be "required" or "optional", not "perhaps".'];
        yield 'clients of two files' => [["--tls-cert=$file", "--tls-client-ca=$file,$file"], '--tls-client-ca takes one file, which may have several certificates'];
        yield 'a challenge on no port' => [["--tls-cert=$file", '--acme-webroot=/tmp'], 'it needs --http-redirect=80'];
        yield 'a challenge in no directory' => [["--tls-cert=$file", '--acme-webroot=/no/where'], '--acme-webroot must be a directory that exists, not "/no/where".'];
    }

    /**
     * @param list<string> $arguments
     */
    #[DataProvider('wrongUsage')]
    public function testWrongUsageIsExplained(array $arguments, string $message): void
    {
        [$status, , $errors] = Program::run([PHP_BINARY, dirname(__DIR__, 3) . '/bin/weft', 'serve', self::APP, ...$arguments]);

        self::assertSame(2, $status);
        self::assertStringContainsString($message, $errors);
    }

    public function testFilesThatCannotBeUsedAreExplained(): void
    {
        [$certificate, $key] = $this->certificates->make('localhost');
        [, $other] = $this->certificates->make('other', 'other');
        $directory = $this->certificates->directory;
        Program::run(['openssl', 'pkey', '-in', $key, '-aes256', '-passout', 'pass:secret', '-out', "$directory/encrypted.key"]);
        Program::run(['openssl', 'x509', '-in', $certificate, '-outform', 'der', '-out', "$directory/certificate.der"]);
        Program::run(['openssl', 'req', '-x509', '-newkey', 'rsa:1024', '-nodes', '-keyout', "$directory/weak.key", '-out', "$directory/weak.crt", '-subj', '/CN=weak']);
        $wrong = [
            [$certificate, $other, "weft: The key $other does not belong to the certificate $certificate (--tls-key, --tls-cert)"],
            [$certificate, "$directory/encrypted.key", "weft: The key $directory/encrypted.key is encrypted, and a server has nobody to ask for its password"],
            ["$directory/certificate.der", $key, "weft: $directory/certificate.der holds no certificate in PEM form (--tls-cert)"],
            [$key, $key, "weft: $key holds no certificate in PEM form (--tls-cert)"],
            [$certificate, $certificate, "weft: $certificate holds no private key in PEM form (--tls-key)"],
            ["$directory/weak.crt", "$directory/weak.key", 'OpenSSL says "ee key too small"'],
            [$directory, $key, "weft: The certificate $directory can't be read: Is a directory (--tls-cert)."],
        ];

        foreach ($wrong as [$certificate, $key, $message]) {
            [$status, , $errors] = Program::run([PHP_BINARY, dirname(__DIR__, 3) . '/bin/weft', 'serve', self::APP, '--port=0', "--tls-cert=$certificate", "--tls-key=$key"]);
            self::assertSame(1, $status, $errors);
            self::assertStringContainsString($message, $errors);
            self::assertStringNotContainsString('PRIVATE KEY-----M', $errors);
        }
    }

    public function testACertificateThatHasExpiredIsServedWithAWarning(): void
    {
        [$certificate, $key] = $this->certificates->make('localhost', days: 0);
        $this->server = $server = ServerProcess::serving(self::APP, ['--workers=1', "--tls-cert=$certificate", "--tls-key=$key"]);

        self::assertStringContainsString("weft: the certificate $certificate has expired: it was valid until", $server->errors());
        self::assertStringContainsString('"HTTPS":"on"', $this->curl('/', ['--insecure']));
    }
}
