<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use OpenSSLAsymmetricKey;
use OpenSSLCertificate;
use OpenSSLCertificateSigningRequest;
use PHPUnit\Framework\Assert;
use Weft\TestSupport\Program;

/**
 * An authority and what it signs, in files of a directory.
 */
final class Certificates
{
    private readonly OpenSSLAsymmetricKey $key;
    private readonly OpenSSLCertificate $authority;

    public function __construct(public readonly string $directory)
    {
        mkdir($directory, 0o755, true);
        $this->key = self::newKey();
        $this->authority = $this->sign('Test authority', $this->key, null, 30, "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n");
        openssl_x509_export_to_file($this->authority, $this->authority());
        openssl_pkey_export_to_file($this->key, "$this->directory/authority.key");
    }

    /** The path of its own certificate. */
    public function authority(): string
    {
        return "$this->directory/authority.crt";
    }

    /**
     * @return array{string, string} the paths of a certificate for this name, and of its key
     */
    public function make(string $name, string $file = 'server', int $days = 30, bool $rsa = false): array
    {
        $key = self::newKey($rsa);
        $names = "subjectAltName=DNS:$name,IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n";
        $paths = ["$this->directory/$file.crt", "$this->directory/$file.key"];
        openssl_pkey_export_to_file($key, $paths[1]);
        openssl_x509_export_to_file($this->sign($name, $key, $this->authority, $days, $names), $paths[0]);

        return $paths;
    }

    /**
     * PHP signs for whole days only.
     *
     * @return array{string, string} as make()
     */
    public function makeForSeconds(string $name, int $seconds): array
    {
        $paths = ["$this->directory/$name.crt", "$this->directory/$name.key"];
        $settings = ['dir' => $this->directory, 'database' => '$dir/index', 'new_certs_dir' => '$dir', 'certificate' => '$dir/authority.crt',
            'private_key' => '$dir/authority.key', 'rand_serial' => 'yes', 'default_md' => 'sha256', 'policy' => 'any'];
        $lines = array_map(static fn (string $name, string $value): string => "$name=$value\n", array_keys($settings), $settings);
        file_put_contents("$this->directory/ca.cnf", "[ca]\ndefault_ca=own\n[own]\n" . implode('', $lines) . "[any]\ncommonName=supplied\n");
        touch("$this->directory/index");
        $steps = [
            ['openssl', 'req', '-new', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', $paths[1],
                '-subj', "/CN=$name", '-out', "$this->directory/request.pem"],
            ['openssl', 'ca', '-batch', '-notext', '-config', "$this->directory/ca.cnf", '-in', "$this->directory/request.pem", '-out', $paths[0],
                '-enddate', gmdate('YmdHis', time() + $seconds) . 'Z'],
        ];
        foreach ($steps as $step) {
            [$status, , $errors] = Program::run($step);
            Assert::assertSame(0, $status, $errors);
        }

        return $paths;
    }

    private static function newKey(bool $rsa = false): OpenSSLAsymmetricKey
    {
        $kind = $rsa ? ['private_key_type' => OPENSSL_KEYTYPE_RSA, 'private_key_bits' => 2048] : ['private_key_type' => OPENSSL_KEYTYPE_EC, 'curve_name' => 'prime256v1'];
        $key = openssl_pkey_new($kind);
        Assert::assertInstanceOf(OpenSSLAsymmetricKey::class, $key, (string) openssl_error_string());

        return $key;
    }

    private function sign(string $name, OpenSSLAsymmetricKey $key, ?OpenSSLCertificate $by, int $days, string $extensions): OpenSSLCertificate
    {
        $file = "$this->directory/extensions.cnf";
        file_put_contents($file, "[req]\ndistinguished_name=dn\n[dn]\n[own]\n$extensions");
        $options = ['config' => $file, 'x509_extensions' => 'own', 'digest_alg' => 'sha256'];
        $signer = $by === null ? $key : $this->key;
        $request = openssl_csr_new(['commonName' => $name, 'organizationName' => 'Weft tests'], $key, $options);
        Assert::assertInstanceOf(OpenSSLCertificateSigningRequest::class, $request, (string) openssl_error_string());
        $certificate = openssl_csr_sign($request, $by, $signer, $days, $options, random_int(1, PHP_INT_MAX));
        Assert::assertInstanceOf(OpenSSLCertificate::class, $certificate, (string) openssl_error_string());

        return $certificate;
    }
}
