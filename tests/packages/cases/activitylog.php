<?php

declare(strict_types=1);

use Illuminate\Http\Request;
use Illuminate\Support\Facades\Route;
use Spatie\Activitylog\Facades\CauserResolver;
use Spatie\Activitylog\Facades\LogBatch;
use Spatie\Activitylog\Models\Activity;
use Weft\PackageTests\Package;
use Weft\PackageTests\Window;
use Weft\TestSupport\Ask;

// Risky: who causes what, the batch, and whether anything is logged are kept by singletons.
return new Package(
    name: 'spatie/laravel-activitylog',
    needs: ['spatie/laravel-package-tools'],
    migrations: ['create_activity_log_table.php.stub', 'add_event_column_to_activity_log_table.php.stub', 'add_batch_uuid_column_to_activity_log_table.php.stub'],
    effects: [
        'select log_name, description, causer_id, subject_id, event, properties::text, count(*) from activity_log group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6',
        'select count(*) from (select batch_uuid from activity_log where batch_uuid is not null group by 1 having count(distinct causer_id) > 1) as mixed',
    ],
    routes: static function (): void {
        Route::get('/pk/activity', static function (Request $request): array {
            $me = $request->user();
            CauserResolver::setCauser($me);
            LogBatch::startBatch();
            $batch = LogBatch::getUuid();
            Window::open();
            activity("log of $me->id")->withProperties(['n' => $me->id])->log('first');
            Window::open();
            activity("log of $me->id")->tap(static fn (Activity $activity) => $activity->event = "event $me->id")->log('second');
            $same = $batch === LogBatch::getUuid();
            LogBatch::endBatch();

            return [$same, Activity::inLog("log of $me->id")->where('batch_uuid', $batch)->orderBy('id')->get()
                ->map(static fn (Activity $activity): array => [$activity->description, $activity->causer_id, $activity->event, $activity->properties['n'] ?? null])];
        });
        Route::get('/pk/activity/off', static function (Request $request): array {
            activity()->disableLogging();
            Window::open();
            $id = $request->user()->id;
            activity("off of $id")->log('never');
            activity()->enableLogging();
            activity("off of $id")->log('once');

            return [Activity::inLog("off of $id")->pluck('description')->unique()->values()];
        });
        Route::get('/pk/activity/causer', static fn (): array => [CauserResolver::resolve()?->getKey(), LogBatch::isOpen()]);
    },
    journey: static function (int $who, int $round): Generator {
        yield Ask::get('/pk/activity/off');
        yield Ask::get('/pk/activity');
        yield Ask::get('/pk/activity/causer');
    },
);
