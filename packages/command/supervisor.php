<?php

declare(strict_types=1);

// What `weft serve` becomes: a PHP with nothing but the extension, since it stays for as long as the server does.
foreach (['Banner', 'PortOwner', 'Printable', 'Supervisor'] as $class) {
    require __DIR__ . "/src/$class.php";
}

/** @var list<string> $argv */
exit(Weft\Command\Supervisor::fromArgument($argv[1] ?? null)->run());
