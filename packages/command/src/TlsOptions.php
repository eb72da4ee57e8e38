<?php

declare(strict_types=1);

namespace Weft\Command;

use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/**
 * What `weft serve` was asked for about TLS, checked. What is in the files the supervisor looks at.
 *
 * @internal
 */
final class TlsOptions
{
    private const SELF_SIGNED = 'self-signed';
    /** Those that mean nothing without certificates. */
    private const NEED_TLS = ['tls-client-ca', 'tls-client', 'hsts', 'http-redirect'];
    /** That of a certificate that is made here. */
    private const OWN_NAMES = ['localhost', '127.0.0.1', '::1'];
    /** Every address: no name for a certificate. */
    private const ALL_ADDRESSES = ['0.0.0.0', '::', '*'];

    /**
     * @param non-empty-list<array{certificate: string, key: string}> $pairs paths
     * @param ?list<string> $selfSigned the names that the first pair is to be made for; null: it is there
     * @param ?string $clientCa path of the authorities of clients; null: nobody is asked for a certificate
     * @param bool $clientsOptional nor must they have one
     * @param ?string $hsts the value of the header; null: none
     * @param ?int $redirect the port that sends clients to that of TLS; null: there is none
     * @param ?string $acmeWebroot where it finds answers to ACME's challenge
     */
    private function __construct(
        public readonly array $pairs,
        public readonly ?array $selfSigned,
        public readonly ?string $clientCa,
        public readonly bool $clientsOptional,
        public readonly ?string $hsts,
        public readonly ?int $redirect,
        public readonly ?string $acmeWebroot,
    ) {
    }

    public static function define(Command $command): void
    {
        $command->addOption('tls-cert', null, InputOption::VALUE_REQUIRED, 'serve HTTPS with this certificate and its chain, PEM; several with commas between');
        $command->addOption('tls-key', null, InputOption::VALUE_REQUIRED, 'its key; several in the order of the certificates [default: in the certificate\'s file]');
        $command->addOption('tls', null, InputOption::VALUE_REQUIRED, 'self-signed: serve HTTPS with a certificate made here, for development');
        $command->addOption('tls-client-ca', null, InputOption::VALUE_REQUIRED, 'ask clients for a certificate of these authorities, PEM');
        $command->addOption('tls-client', null, InputOption::VALUE_REQUIRED, 'required: refuse clients without one; optional: let the application decide', 'required');
        $command->addOption('hsts', null, InputOption::VALUE_REQUIRED, 'seconds for which browsers come by HTTPS only, as 31536000 [default: not said]');
        $command->addOption('http-redirect', null, InputOption::VALUE_REQUIRED, 'a second port, 80 as a rule, that sends clients to https:// [default: none]');
        $command->addOption('acme-webroot', null, InputOption::VALUE_REQUIRED, 'directory in which that port finds /.well-known/acme-challenge/ [default: none]');
    }

    /**
     * @param list<string> $hosts as --host has them
     * @param \Closure(string): string $absolute makes a path so
     * @throws UsageError
     */
    public static function fromInput(InputInterface $input, array $hosts, \Closure $absolute): ?self
    {
        $certificates = self::files($input, 'tls-cert', $absolute);
        $keys = self::files($input, 'tls-key', $absolute);
        $authorities = self::files($input, 'tls-client-ca', $absolute);
        $hsts = self::hsts($input->getOption('hsts'));
        $redirect = self::redirect($input->getOption('http-redirect'));
        $webroot = self::webroot($input->getOption('acme-webroot'), $redirect, $absolute);
        $optional = self::isOptional(self::text($input->getOption('tls-client')), $authorities !== []);
        $selfSigned = self::isSelfSigned($input->getOption('tls'), $certificates !== []);
        if ($certificates === [] && $keys !== []) {
            $key = self::text($input->getOption('tls-key'));
            throw new UsageError("--tls-key=$key: a key is of no use without its certificate. Name that as well: --tls-cert=FILE.");
        }
        if ($certificates === [] && !$selfSigned) {
            self::refuseWithoutTls($input);

            return null;
        }
        if ($keys !== [] && count($keys) !== count($certificates)) {
            $counts = count($certificates) . ' certificates and ' . count($keys) . ' keys';
            throw new UsageError("--tls-key must name a key for each certificate, in their order: there are $counts.");
        }

        if (count($authorities) > 1) {
            throw new UsageError('--tls-client-ca takes one file, which may have several certificates, one after another.');
        }

        return new self(
            pairs: $selfSigned ? [self::ownPair(self::namesBeside($hosts))] : self::pairs($certificates, $keys),
            selfSigned: $selfSigned ? [...self::OWN_NAMES, ...self::namesBeside($hosts)] : null,
            clientCa: $authorities[0] ?? null,
            clientsOptional: $optional,
            hsts: $hsts,
            redirect: $redirect,
            acmeWebroot: $webroot,
        );
    }

    /**
     * For Weft\Server\supervise().
     *
     * @param list<string> $hosts
     * @return array{tls: array<string, mixed>, redirect?: list<array{string, int}>}
     */
    public function settings(array $hosts): array
    {
        $redirect = $this->redirect;
        $hosts = array_values(array_filter($hosts, static fn (string $host): bool => !str_starts_with($host, ServeOptions::UNIX)));

        return [
            'tls' => [
                'pairs' => $this->pairs,
                ...($this->selfSigned === null ? [] : ['self_signed' => $this->selfSigned]),
                ...($this->clientCa === null ? [] : ['client_ca' => $this->clientCa]),
                'clients' => $this->clientsOptional ? 'optional' : 'required',
            ],
            ...($redirect === null ? [] : ['redirect' => array_map(static fn (string $host): array => [$host, $redirect], $hosts)]),
        ];
    }

    /**
     * What workers are told.
     *
     * @return array<string, string>
     */
    public function configuration(): array
    {
        return array_filter(['hsts' => $this->hsts, 'acme_webroot' => $this->acmeWebroot], is_string(...));
    }

    /**
     * @param \Closure(string): string $absolute
     * @return list<string>
     */
    private static function files(InputInterface $input, string $option, \Closure $absolute): array
    {
        $value = $input->getOption($option);
        $paths = $value === null ? [] : array_map(trim(...), explode(',', self::text($value)));
        foreach ($paths as $path) {
            // where this user can't look, the supervisor may: it keeps that right when it starts anew as another user
            if ($path === '' || (is_executable(dirname($absolute($path))) && @stat($absolute($path)) === false)) {
                $several = $option === 'tls-client-ca' ? '' : ', or several with commas between';
                throw new UsageError("--$option must be the path of a file that exists$several, not \"$path\".");
            }
        }

        return array_map($absolute, $paths);
    }

    /**
     * @param list<string> $certificates
     * @param list<string> $keys
     * @return non-empty-list<array{certificate: string, key: string}>
     */
    private static function pairs(array $certificates, array $keys): array
    {
        $pairs = array_map(static fn (string $certificate, ?string $key): array => ['certificate' => $certificate, 'key' => $key ?? $certificate], $certificates, $keys);

        return $pairs === [] ? throw new \LogicException('no certificate') : $pairs;
    }

    private static function isSelfSigned(mixed $value, bool $others): bool
    {
        if ($value === null) {
            return false;
        }
        if ($value !== self::SELF_SIGNED) {
            throw new UsageError('--tls must be "self-signed", not "' . self::text($value) . '". A certificate is named by --tls-cert=FILE.');
        }
        if ($others) {
            throw new UsageError('--tls=self-signed makes a certificate, and --tls-cert names one: leave one of them out.');
        }

        return true;
    }

    private static function refuseWithoutTls(InputInterface $input): void
    {
        foreach (self::NEED_TLS as $name) {
            $value = $input->getOption($name);
            if ($value !== null && !($name === 'tls-client' && $value === 'required')) {
                throw new UsageError("--$name is for HTTPS, which needs a certificate: add --tls-cert=FILE and --tls-key=FILE, or --tls=self-signed.");
            }
        }
    }

    /**
     * Below the checkout, since a directory of an application may be served. Another for other names, so that two servers
     * don't take it from each other.
     *
     * @param list<string> $names beside its own
     * @return array{certificate: string, key: string}
     */
    private static function ownPair(array $names): array
    {
        $directory = dirname(__DIR__, 3) . '/var/tls';
        if (!is_dir($directory) && !@mkdir($directory, 0o700, true) && !is_dir($directory)) {
            throw new UsageError("--tls=self-signed: $directory, where the certificate is kept, can't be made. Name one that is elsewhere: --tls-cert=FILE --tls-key=FILE.");
        }
        $file = substr(strtr(implode('-', ['self-signed', ...$names]), '/', '_'), 0, 200);

        return ['certificate' => "$directory/$file.crt", 'key' => "$directory/$file.key"];
    }

    /**
     * @param list<string> $hosts
     * @return list<string>
     */
    private static function namesBeside(array $hosts): array
    {
        $named = array_filter($hosts, static fn (string $host): bool => !str_starts_with($host, ServeOptions::UNIX) && !in_array($host, self::ALL_ADDRESSES, true));

        return array_values(array_diff(array_unique($named), self::OWN_NAMES));
    }

    private static function isOptional(string $value, bool $asked): bool
    {
        if (!in_array($value, ['required', 'optional'], true)) {
            throw new UsageError("--tls-client must be \"required\" or \"optional\", not \"$value\".");
        }
        if ($value === 'optional' && !$asked) {
            throw new UsageError('--tls-client=optional: say whose certificates are good, too: --tls-client-ca=FILE.');
        }

        return $value === 'optional';
    }

    private static function hsts(mixed $value): ?string
    {
        if ($value === null) {
            return null;
        }
        if (preg_match('/^(\d{1,10})((?:; ?(?:includeSubDomains|preload)){0,2})\z/', self::text($value), $match) !== 1) {
            throw new UsageError('--hsts must be a number of seconds, for example 31536000, or "31536000; includeSubDomains", not "' . self::text($value) . '".');
        }

        return "max-age=$match[1]$match[2]";
    }

    private static function redirect(mixed $value): ?int
    {
        if ($value === null) {
            return null;
        }
        if (preg_match('/^\d{1,5}\z/', self::text($value)) !== 1 || (int) self::text($value) > 65535) {
            throw new UsageError('--http-redirect must be a port, from 0 to 65535 and 80 as a rule, not "' . self::text($value) . '".');
        }

        return (int) self::text($value);
    }

    /**
     * @param \Closure(string): string $absolute
     */
    private static function webroot(mixed $value, ?int $redirect, \Closure $absolute): ?string
    {
        if ($value === null) {
            return null;
        }
        $directory = $absolute(self::text($value));
        if (!is_dir($directory)) {
            throw new UsageError('--acme-webroot must be a directory that exists, not "' . self::text($value) . '".');
        }
        if ($redirect === null) {
            throw new UsageError('--acme-webroot: authorities ask on port 80, so it needs --http-redirect=80.');
        }

        return $directory;
    }

    private static function text(mixed $value): string
    {
        return is_scalar($value) ? (string) $value : '';
    }
}
