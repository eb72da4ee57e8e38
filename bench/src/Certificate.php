<?php

declare(strict_types=1);

namespace Weft\Bench;

/** Of all servers of a run: the curve that most certificates have, so that a handshake is cheap for everybody. */
final class Certificate
{
    private function __construct(public readonly string $file, public readonly string $key)
    {
    }

    public static function make(Workspace $workspace): self
    {
        $self = new self("$workspace->run/tls.pem", "$workspace->run/tls.key");
        Program::must('openssl', [Program::find('openssl', 'openssl'), 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes',
            '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1', '-days', '2', '-keyout', $self->key, '-out', $self->file]);

        return $self;
    }
}
