<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

/**
 * Clients that show certificates.
 */
final class TlsClientsTest extends TlsCase
{
    public function testClientsAreKnownByTheirCertificates(): void
    {
        [$certificate, $key] = $this->certificates->make('client', 'client');
        $server = $this->serve(['--workers=1', "--tls-client-ca={$this->certificates->authority()}", '--tls-client=optional']);

        $is = json_decode($this->curl('/', ['--cert', $certificate, '--key', $key]), true);
        self::assertIsArray($is);
        self::assertSame(['SUCCESS', 'client', 'O=Weft tests,CN=client'], [$is['SSL_CLIENT_VERIFY'], $is['SSL_CLIENT_S_DN_CN'], $is['SSL_CLIENT_S_DN']]);
        self::assertStringContainsString('"SSL_CLIENT_CERT":"-----BEGIN CERTIFICATE-----', $this->curl('/', ['--cert', $certificate, '--key', $key]));
        $anonymous = json_decode($this->curl('/', ['-H', 'SSL-CLIENT-VERIFY: SUCCESS']), true);
        self::assertIsArray($anonymous);
        self::assertSame(['NONE', false], [$anonymous['SSL_CLIENT_VERIFY'], isset($anonymous['SSL_CLIENT_S_DN'])]);
        $stranger = new Certificates("{$this->certificates->directory}/stranger");
        [$certificate, $key] = $stranger->make('client');
        self::assertSame('', $this->curl('/', ['--cert', $certificate, '--key', $key]), 'one of another authority');
        $server->eventually('that is told', static fn (): bool => str_contains($server->errors(), 'certificate verify failed'));
    }

    public function testClientsWithoutACertificateAreRefused(): void
    {
        [$certificate, $key] = $this->certificates->make('client', 'client');
        $this->serve(['--workers=1', "--tls-client-ca={$this->certificates->authority()}"]);

        self::assertSame('', $this->curl('/'));
        self::assertStringContainsString('"SSL_CLIENT_VERIFY":"SUCCESS"', $this->curl('/', ['--cert', $certificate, '--key', $key]));
    }

    public function testAnAuthorityThatIsTakenAwayLetsNobodyInAnyMore(): void
    {
        [$certificate, $key] = $this->certificates->make('client', 'client');
        $good = "{$this->certificates->directory}/good.crt";
        copy($this->certificates->authority(), $good);
        $server = $this->serve(['--workers=1', "--tls-client-ca=$good"]);
        $is = ['-cert', $certificate, '-key', $key];
        foreach (['-tls1_2', '-tls1_3'] as $version) {
            $session = "{$this->certificates->directory}/session$version";
            self::assertStringContainsString("\nNew, TLSv1", $this->openssl([$version, ...$is, '-sess_out', $session]));
            $again = $this->openssl([$version, '-sess_in', $session]);
            self::assertStringContainsString("\nReused, TLSv1", $again);
            self::assertStringContainsString('"SSL_CLIENT_S_DN_CN":"client"', $again, 'the session is the client\'s');
        }

        copy((new Certificates("{$this->certificates->directory}/other"))->authority(), $good);
        $server->eventually('the authorities are read anew', static fn (): bool => str_contains($server->errors(), 'read anew'));

        foreach (['-tls1_2', '-tls1_3'] as $version) {
            $again = $this->openssl([$version, ...$is, '-sess_in', "{$this->certificates->directory}/session$version"]);
            self::assertStringNotContainsString("\nReused, TLSv1", $again);
            self::assertStringNotContainsString('HTTP/1.1 200', $again);
        }
    }

    public function testASessionEndsWithTheCertificateThatBeganIt(): void
    {
        $server = $this->serve(['--workers=1', "--tls-client-ca={$this->certificates->authority()}"]);
        [$certificate, $key] = $this->certificates->makeForSeconds('client', 6);
        $resume = fn (string $version): string => $this->openssl([$version, '-sess_in', "{$this->certificates->directory}/session$version"]);
        foreach (['-tls1_2', '-tls1_3'] as $version) {
            $first = $this->openssl([$version, '-cert', $certificate, '-key', $key, '-sess_out', "{$this->certificates->directory}/session$version"]);
            self::assertStringContainsString("\nNew, TLSv1", $first);
            self::assertStringContainsString('HTTP/1.1 200', $first);
        }

        foreach (['-tls1_2', '-tls1_3'] as $version) {
            $server->eventually('it has expired', static fn (): bool => !str_contains($resume($version), "\nReused, TLSv1"));
            self::assertStringNotContainsString('HTTP/1.1 200', $resume($version));
        }
    }
}
