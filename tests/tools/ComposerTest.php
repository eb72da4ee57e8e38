<?php

declare(strict_types=1);

namespace Weft\Tools\Tests;

use PHPUnit\Framework\TestCase;

/** tools/composer-install, with a Composer that unpacks what only its owner may read. */
final class ComposerTest extends TestCase
{
    public function testEverybodyMayReadWhatIsInstalled(): void
    {
        $checkout = new Checkout();
        $checkout->put('bin/composer', <<<'SH'
            #!/bin/sh
            mkdir -p vendor/one
            echo '<?php' > vendor/one/file.php
            echo '#!/bin/sh' > vendor/one/tool
            chmod 600 vendor/one/file.php
            chmod 700 vendor/one/tool vendor/one
            SH);
        $checkout->put('application/composer.json', '{}');
        chmod("$checkout->path/bin/composer", 0o755);

        $checkout->command(['tools/composer-install', 'application'], ['PATH' => "$checkout->path/bin:" . getenv('PATH')]);

        $vendor = "$checkout->path/application/vendor";
        $modes = array_map(static fn (string $path): string => decoct(fileperms("$vendor/$path") & 0o777), ['.', 'one', 'one/file.php', 'one/tool']);
        $checkout->remove();
        self::assertSame(['755', '755', '644', '755'], $modes);
    }
}
