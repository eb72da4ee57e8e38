<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\Assert;
use Weft\TestSupport\Program;

/**
 * Answers of OCSP responders that are beside certificates, as openssl sees them.
 */
final class TlsOcspTest extends TlsCase
{
    private const GOOD = 'Cert Status: good';
    /** As openssl says it, from 3.6 on with what is in brackets. */
    private const NONE = '/OCSP response(s?): no response\1 sent/';

    public function testTheAnswerBesideACertificateIsStapled(): void
    {
        [$first, $firstKey] = $this->certificates->make('a.test', 'a');
        [$second, $secondKey] = $this->certificates->make('b.test', 'b');
        $this->answer($second);
        $this->server = $server = ServerProcess::serving(self::APP, ['--workers=1', "--tls-cert=$first,$second", "--tls-key=$firstKey,$secondKey"]);

        self::assertStringContainsString(self::GOOD, $this->stapled('b.test', '-tls1_2'));
        self::assertStringContainsString(self::GOOD, $this->stapled('b.test', '-tls1_3'));
        self::assertMatchesRegularExpression(self::NONE, $this->stapled('a.test'));
        self::assertStringNotContainsString('OCSP', $this->openssl(['-servername', 'b.test']), 'who does not ask gets none');
        self::assertSame('', $server->errors());
        $this->answer($first);
        $server->eventually('the new answer is stapled', fn (): bool => str_contains($this->stapled('a.test'), self::GOOD));
    }

    public function testAnAnswerThatGetsStaleIsNotStapledAnyMore(): void
    {
        [$certificate, $key] = $this->certificates->make('localhost');
        $this->answer($certificate);
        $server = $this->server = ServerProcess::serving(self::APP, ['--workers=1', "--tls-cert=$certificate", "--tls-key=$key"]);
        self::assertStringContainsString(self::GOOD, $this->stapled('localhost'));
        $told = "weft: the OCSP answer $certificate.ocsp is not stapled: it was valid until";

        $this->endIn($certificate, 8);
        $server->eventually('it is read', static fn (): bool => str_contains($server->errors(), 'read anew'));
        $server->eventually('it is stale', fn (): bool => preg_match(self::NONE, $this->stapled('localhost')) === 1);
        $server->eventually('that is told', static fn (): bool => str_contains($server->errors(), $told));

        self::assertStringContainsString('"HTTPS":"on"', $this->curl('/'));
        self::assertSame(1, substr_count($server->errors(), $told), 'once');
        $this->answer($certificate);
        $server->eventually('the next one is stapled', fn (): bool => str_contains($this->stapled('localhost'), self::GOOD));
    }

    public function testAnAnswerThatGetsStaleIsNotStapledWhileNothingCanBeReadAnew(): void
    {
        [$certificate, $key] = $this->certificates->make('localhost');
        $this->answer($certificate);
        $server = $this->server = ServerProcess::serving(self::APP, ['--workers=1', "--tls-cert=$certificate", "--tls-key=$key"]);
        self::assertStringContainsString(self::GOOD, $this->stapled('localhost'));

        $this->endIn($certificate, 8);
        $server->eventually('it is read', static fn (): bool => str_contains($server->errors(), 'read anew'));
        file_put_contents($key, 'half of a key');

        $server->eventually('that is told', static fn (): bool => str_contains($server->errors(), 'stay in use.'));
        $server->eventually('it is stale', fn (): bool => preg_match(self::NONE, $this->stapled('localhost')) === 1);
        self::assertStringContainsString('"HTTPS":"on"', $this->curl('/'));
        self::assertStringNotContainsString('is not stapled', $server->errors(), 'the answer was not looked at');
    }

    public function testAnAnswerThatIsNoGoodIsToldOfAndNotStapled(): void
    {
        $pairs = [];
        foreach (['stale', 'revoked', 'other', 'stranger', 'garbage', 'pipe', 'endless'] as $name) {
            $pairs[$name] = $this->certificates->make("$name.test", $name);
        }
        $this->answer($pairs['stale'][0]);
        $this->endIn($pairs['stale'][0], -60);
        $this->answer($pairs['revoked'][0], revoked: true);
        copy("{$pairs['revoked'][0]}.ocsp", "{$pairs['other'][0]}.ocsp");
        // of the same serial number, but of another authority
        $stranger = new Certificates("{$this->certificates->directory}/strange");
        $this->answer($pairs['stranger'][0], $stranger);
        file_put_contents($pairs['stranger'][0], file_get_contents($this->certificates->authority()), FILE_APPEND);
        file_put_contents("{$pairs['garbage'][0]}.ocsp", 'garbage');
        posix_mkfifo("{$pairs['pipe'][0]}.ocsp", 0o600);
        $this->answer($pairs['endless'][0], ends: false);

        $this->server = $server = ServerProcess::serving(self::APP, ['--workers=1',
            '--tls-cert=' . implode(',', array_column($pairs, 0)), '--tls-key=' . implode(',', array_column($pairs, 1))]);

        $why = [
            'stale' => 'it was valid until ',
            'revoked' => 'it says that the certificate is revoked.',
            'other' => 'it is about another certificate.',
            'stranger' => 'it is about another certificate.',
            'garbage' => 'it is not in DER form, as "openssl ocsp -respout FILE" writes it.',
            'pipe' => "it can't be read: It is a pipe or a device",
            'endless' => 'it does not say until when it is valid.',
        ];
        foreach ($pairs as $name => [$certificate]) {
            self::assertStringContainsString("weft: the OCSP answer $certificate.ocsp is not stapled: {$why[$name]}", $server->errors());
            self::assertMatchesRegularExpression(self::NONE, $this->stapled("$name.test"));
        }
    }

    /**
     * What `openssl ocsp` answers to a question about the certificate, beside it.
     */
    private function answer(string $certificate, ?Certificates $by = null, bool $revoked = false, bool $ends = true): void
    {
        $by ??= $this->certificates;
        $serial = self::make(['x509', '-in', $certificate, '-noout', '-serial']);
        $state = $revoked ? 'R' : 'V';
        file_put_contents("$by->directory/index", "$state\t401231000000Z\t" . ($revoked ? gmdate('ymdHis') . 'Z' : '') . "\t" . substr(trim($serial), 7) . "\tunknown\t/CN=x\n");
        self::make(['ocsp', '-issuer', $by->authority(), '-cert', $certificate, '-no_nonce', '-reqout', "$by->directory/question"]);
        self::make(['ocsp', '-index', "$by->directory/index", '-rsigner', $by->authority(), '-rkey', "$by->directory/authority.key", '-CA', $by->authority(),
            '-reqin', "$by->directory/question", '-respout', "$certificate.ocsp.new", ...($ends ? ['-nmin', '60'] : [])]);
        rename("$certificate.ocsp.new", "$certificate.ocsp");
    }

    /** Changes its end, whole minutes of which `openssl ocsp` gives; so its signature is none any more. */
    private function endIn(string $certificate, int $seconds): void
    {
        $answer = (string) file_get_contents("$certificate.ocsp");
        preg_match_all('/20\d{12}Z/', $answer, $times);
        $last = max(['', ...$times[0]]);
        self::assertNotSame('', $last);
        file_put_contents("$certificate.ocsp.new", str_replace($last, gmdate('YmdHis', time() + $seconds) . 'Z', $answer));
        rename("$certificate.ocsp.new", "$certificate.ocsp");
    }

    private function stapled(string $name, string $version = '-tls1_3'): string
    {
        return $this->openssl([$version, '-servername', $name, '-status']);
    }

    /**
     * @param list<string> $arguments
     */
    private static function make(array $arguments): string
    {
        [$status, $output, $errors] = Program::run(['openssl', ...$arguments]);
        Assert::assertSame(0, $status, $errors);

        return $output;
    }
}
