<?php

declare(strict_types=1);

// seed.php IDENTITIES: the tables of the packages, and the users who will ask.

use Illuminate\Contracts\Console\Kernel;
use Illuminate\Database\Migrations\Migration;
use Illuminate\Database\Schema\Blueprint;
use Illuminate\Foundation\Application;
use Illuminate\Support\Facades\Schema;
use Weft\PackageTests\Packages;
use Weft\PackageTests\User;

/** @var Application $app */
$app = require __DIR__ . '/app/bootstrap/app.php';
$app->make(Kernel::class)->bootstrap();
$identities = (int) ($argv[1] ?? 16);

Schema::create('users', static function (Blueprint $table): void {
    $table->id();
    $table->string('name');
    $table->string('email')->unique();
    $table->string('password');
    $table->rememberToken();
    $table->timestamps();
});
foreach (Packages::all() as $package) {
    foreach ($package->migrations as $file) {
        $before = get_declared_classes();
        $migration = require Packages::path($package->name) . "/database/migrations/$file";
        if (!$migration instanceof Migration) {
            // one with a name
            $new = array_filter(array_diff(get_declared_classes(), $before), static fn (string $class): bool => is_subclass_of($class, Migration::class));
            $migration = $app->make((string) end($new));
        }
        if (is_object($migration) && method_exists($migration, 'up')) {
            $migration->up();
        }
    }
}
foreach (range(1, $identities) as $who) {
    (new User())->forceFill(['name' => "User $who", 'email' => "user$who@example.com", 'password' => "secret $who"])->save();
}
foreach (Packages::all() as $package) {
    if ($package->seed !== null) {
        ($package->seed)($identities);
    }
}
