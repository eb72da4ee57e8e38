<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\TestCase;

/**
 * Standard error is a pipe that nobody reads, as with a pager or a log driver that hangs: it gets full, and the server serves on.
 */
final class StalledLogTest extends TestCase
{
    private const COMPLAINS = <<<'PHP'
        <?php

        return static function (): string {
            error_log(str_repeat('x', 20_000));

            return 'served';
        };
        PHP;

    public function testTheServerServesOnAndStops(): void
    {
        $releases = new Releases();
        $releases->add('two', self::COMPLAINS);
        $releases->point('two');
        $pipe = "$releases->directory/one/pipe";
        self::assertTrue(posix_mkfifo($pipe, 0o600));
        // open for both, so that it has a reader who does not read
        $server = ServerProcess::serving($releases->app(), ['--workers=1', '-d', 'error_log='], ['bash', '-c', 'exec 2<>"$0"; exec "$@"', $pipe]);
        try {
            for ($i = 0; $i < 20; $i++) {
                self::assertSame([200, 'served'], Client::get($server->url('/')));
            }
            $server->signal(SIGTERM);
            self::assertSame(0, $server->exitCode());
        } finally {
            $server->destroy();
            $releases->remove();
        }
    }
}
