<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use Weft\TestSupport\Program;

/**
 * The files of certificates: what becomes of them while a server runs, and those that it makes.
 */
final class TlsFilesTest extends TlsCase
{
    private const OWN = __DIR__ . '/../../../var/tls';
    /** An address that no other test has a certificate for. */
    private const HOST = '127.0.0.119';

    protected function tearDown(): void
    {
        array_map(unlink(...), glob(self::OWN . '/self-signed-' . self::HOST . '*') ?: []);
        parent::tearDown();
    }

    public function testAKeyWhoseRightsChangeIsReadAnew(): void
    {
        $server = $this->serve(['--workers=1']);

        chmod("{$this->certificates->directory}/server.key", 0o640);

        $server->eventually('it is read anew', static fn (): bool => str_contains($server->errors(), 'weft: certificates: read anew'));
    }

    public function testAPipeIsNoCertificate(): void
    {
        [$certificate, $key] = $this->certificates->make('localhost');
        $pipe = "{$this->certificates->directory}/pipe";
        posix_mkfifo($pipe, 0o600);
        $is = "$pipe can't be read: It is a pipe or a device, and must be a file, which can be read again.";
        $wrong = [
            [["--tls-cert=$pipe", "--tls-key=$key"], "weft: The certificate $is One in /run is never on a disk (--tls-cert).\n"],
            [["--tls-cert=$certificate", "--tls-key=$pipe"], "weft: The key $is One in /run is never on a disk (--tls-key).\n"],
            [["--tls-cert=$certificate", "--tls-key=$key", "--tls-client-ca=$pipe"], "weft: The certificate $is One in /run is never on a disk (--tls-client-ca).\n"],
            [["--tls-cert=$certificate", '--tls-key=/dev/zero'], "weft: The key /dev/zero can't be read: It is a pipe or a device"],
        ];

        foreach ($wrong as [$options, $message]) {
            [$status, , $errors] = Program::run(['timeout', '60', PHP_BINARY, dirname(__DIR__, 3) . '/bin/weft', 'serve', self::APP, '--port=0', ...$options]);
            self::assertSame(1, $status, $errors);
            self::assertStringContainsString($message, $errors);
        }
    }

    public function testAPipeThatComesLaterKeepsNobodyWaiting(): void
    {
        $server = $this->serve(['--workers=1']);
        $key = "{$this->certificates->directory}/server.key";

        unlink($key);
        posix_mkfifo($key, 0o600);

        $server->eventually('it is told', static fn (): bool => str_contains($server->errors(), "The key $key can't be read: It is a pipe or a device"));
        $server->signal(SIGHUP);
        $server->eventually('it has reloaded', static fn (): bool => str_contains($server->errors(), 'weft: reloaded'));
        self::assertStringContainsString('"HTTPS":"on"', $this->curl('/'));
    }

    public function testServersThatStartTogetherShareACertificateOfTheirOwn(): void
    {
        $servers = [];
        for ($i = 0; $i < 4; $i++) {
            $control = "--control={$this->certificates->directory}/control-$i";
            $servers[] = new ServerProcess([self::APP, '--port=0', '--host=127.0.0.1,' . self::HOST, '--workers=1', '--tls=self-signed', $control]);
        }
        $shown = [];
        try {
            foreach ($servers as $server) {
                $server->eventually('it serves', static fn (): bool => !$server->runs() || str_contains($server->output(), 'Stop with'));
                self::assertSame('', $server->errors());
                $this->server = $server;
                $shown[] = $this->ownCertificate();
            }
        } finally {
            foreach ($servers as $server) {
                $server->destroy();
            }
            $this->server = null;
        }

        self::assertCount(1, array_unique($shown));
        self::assertSame([self::path('crt'), self::path('key')], glob(self::OWN . '/self-signed-' . self::HOST . '*'));
        self::assertSame(0o600, (int) fileperms(self::path('key')) & 0o777);
    }

    public function testAnOwnCertificateThatIsNoGoodIsMadeAnew(): void
    {
        [$expired, $itsKey] = $this->certificates->make(self::HOST, 'expired', days: 0);
        [$good] = $this->certificates->make('localhost', 'good', days: 300);
        $this->startWithOwn();
        $before = [(string) file_get_contents(self::path('crt')), (string) file_get_contents(self::path('key'))];
        $this->startWithOwn();
        self::assertSame($before[0], file_get_contents(self::path('crt')), 'one that is good stays');

        $cases = [
            'expired' => [$expired, $itsKey],
            'of another key' => [null, $itsKey],
            'for other names' => [$good, "{$this->certificates->directory}/good.key"],
        ];
        foreach ($cases as $case => [$certificate, $key]) {
            file_put_contents(self::path('crt'), $certificate === null ? $before[0] : file_get_contents($certificate));
            file_put_contents(self::path('key'), file_get_contents($key));
            $there = (string) file_get_contents(self::path('crt'));

            $this->startWithOwn();

            self::assertNotSame($there, file_get_contents(self::path('crt')), $case);
        }
    }

    private static function path(string $extension): string
    {
        return self::OWN . '/self-signed-' . self::HOST . ".$extension";
    }

    /** A server that serves with the certificate that is there, or that it has made. */
    private function startWithOwn(): void
    {
        $control = "--control={$this->certificates->directory}/control";
        $this->server = ServerProcess::serving(self::APP, ['--workers=1', '--host=127.0.0.1,' . self::HOST, '--tls=self-signed', $control]);
        self::assertSame('', $this->server->errors());
        self::assertSame(trim((string) file_get_contents(self::path('crt'))), trim($this->ownCertificate()));
        $this->server->destroy();
        $this->server = null;
    }

    /** As openssl shows it, in PEM. */
    private function ownCertificate(): string
    {
        preg_match('/-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/s', $this->openssl([]), $match);

        return $match[0] ?? '';
    }
}
