<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\TestCase;
use Weft\TestSupport\Program;

/**
 * A server of HTTPS, and its clients: curl, openssl and PHP's own streams.
 */
abstract class TlsCase extends TestCase
{
    protected const APP = __DIR__ . '/fixtures/tls.php';

    protected ?ServerProcess $server = null;
    protected Certificates $certificates;

    protected function setUp(): void
    {
        $this->certificates = new Certificates(sys_get_temp_dir() . '/weft-tls-' . bin2hex(random_bytes(6)));
    }

    protected function tearDown(): void
    {
        $this->server?->destroy();
        Program::run(['rm', '-rf', $this->certificates->directory]);
    }

    /**
     * @param list<string> $arguments
     */
    protected function serve(array $arguments): ServerProcess
    {
        [$certificate, $key] = $this->certificates->make('localhost');

        return $this->server = ServerProcess::serving(self::APP, ["--tls-cert=$certificate", "--tls-key=$key", ...$arguments]);
    }

    protected function port(): string
    {
        self::assertSame(1, preg_match('~https://127\.0\.0\.1:(\d+)~', $this->server?->output() ?? '', $match));

        return $match[1] ?? '';
    }

    /**
     * @param string $path or a whole address
     * @param list<string> $options
     * @return string what curl prints; "" when it gets no answer
     */
    protected function curl(string $path, array $options = []): string
    {
        $url = str_starts_with($path, '/') ? "https://localhost:{$this->port()}$path" : $path;

        return Program::run(['curl', '-s', '--http1.1', '--cacert', $this->certificates->authority(), ...$options, $url])[1];
    }

    /**
     * @param list<string> $options
     * @return string what openssl s_client prints
     */
    protected function openssl(array $options, string $request = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"): string
    {
        file_put_contents("{$this->certificates->directory}/request", $request);
        $command = ['openssl', 's_client', '-connect', "127.0.0.1:{$this->port()}", '-servername', 'localhost', '-ign_eof', ...$options];
        [, $output, $errors] = Program::run(['sh', '-c', 'file=$1; shift; exec "$@" < "$file"', 'sh', "{$this->certificates->directory}/request", ...$command]);

        return $output . $errors;
    }

    protected function nameOfCertificate(string $name): string
    {
        $client = $this->connect($name);
        $options = stream_context_get_options($client)['ssl'] ?? [];
        $certificate = is_array($options) ? $options['peer_certificate'] ?? null : null;
        self::assertInstanceOf(\OpenSSLCertificate::class, $certificate);
        $subject = (openssl_x509_parse($certificate) ?: [])['subject'] ?? [];

        return is_array($subject) && is_string($subject['CN'] ?? null) ? $subject['CN'] : '';
    }

    /**
     * @return resource
     */
    protected function connect(string $name = 'localhost', string $protocols = 'http/1.1')
    {
        $context = stream_context_create(['ssl' => [
            'cafile' => $this->certificates->authority(), 'verify_peer_name' => false, 'peer_name' => $name, 'capture_peer_cert' => true,
            'alpn_protocols' => $protocols,
        ]]);
        $client = stream_socket_client("tls://127.0.0.1:{$this->port()}", context: $context);
        self::assertIsResource($client);
        stream_set_timeout($client, 30);

        return $client;
    }
}
