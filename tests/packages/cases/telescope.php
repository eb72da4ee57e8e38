<?php

declare(strict_types=1);

use Illuminate\Http\Request;
use Illuminate\Support\Facades\Route;
use Laravel\Telescope\Telescope;
use Weft\PackageTests\Package;
use Weft\PackageTests\Window;
use Weft\TestSupport\Ask;

// Risky: what was seen waits in static properties until the end of a request.
return new Package(
    name: 'laravel/telescope',
    config: [
        'telescope.enabled' => true, 'telescope.driver' => 'database', 'telescope.storage.database.connection' => 'pgsql', 'telescope.storage.database.chunk' => 1000,
        'telescope.path' => 'telescope', 'telescope.middleware' => ['web'],
    ],
    migrations: ['2018_08_08_100000_create_telescope_entries_table.php'],
    effects: [
        // Who asked for what, and how often. While it boots, Telescope looks whether the path is one of Livewire's, which
        // it leaves out; a worker boots before it knows a path.
        "select content::json #>> '{user,id}', content::json ->> 'method', content::json ->> 'uri', content::json ->> 'response_status', count(*)"
            . " from telescope_entries where type = 'request' and content::json ->> 'uri' !~ '^/livewire' group by 1, 2, 3, 4 order by 1, 2, 3, 4",
        "select tag, type, count(*) from telescope_entries_tags join telescope_entries on uuid = entry_uuid where tag ~ '^tag ' and type = 'request' group by 1, 2 order by 1, 2",
        "select content::json ->> 'message', count(*) from telescope_entries where type = 'log' and content::json ->> 'message' ~ '^warning of' group by 1 order by 1",
        // a batch is a request: the log of one in the batch of another would be seen here
        "select log.content::json ->> 'message', request.content::json #>> '{user,id}', count(*)"
            . ' from telescope_entries log join telescope_entries request using (batch_id)'
            . " where log.type = 'log' and log.content::json ->> 'message' ~ '^warning of' and request.type = 'request' group by 1, 2 order by 1, 2",
    ],
    routes: static fn () => Route::get('/pk/telescope', static function (Request $request): array {
        $id = $request->user()->id;
        Telescope::tag(static fn (): array => ["tag $id"]);
        logger()->warning("warning of $id");
        Window::open();
        $entries = collect(Telescope::$entriesQueue);

        return [$entries->isNotEmpty(), $entries->where('type', 'log')->map(static fn ($entry): string => $entry->content['message'])->values()];
    }),
    journey: static function (int $who, int $round): Generator {
        yield Ask::get('/pk/telescope');
        yield Ask::get('/pk/telescope');
    },
    tool: true,
);
