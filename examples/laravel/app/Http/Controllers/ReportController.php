<?php

declare(strict_types=1);

namespace App\Http\Controllers;

use App\Reports\Call;
use App\Reports\SalesReport;
use App\Reports\Timeline;
use App\Support\Input;
use App\Support\ThisServer;
use Illuminate\Contracts\View\View;
use Illuminate\Http\JsonResponse;
use Illuminate\Http\Request;

/**
 * A page that needs ten answers from elsewhere, asked for one after the other (?mode=sequential) or all at once. With
 * ?only=http or ?only=database it leaves out the others.
 */
final class ReportController
{
    public function __invoke(Request $request): View|JsonResponse
    {
        $mode = Input::choice($request, 'mode', ['concurrent', 'sequential']);
        $only = Input::choice($request, 'only', ['http', 'database']);
        $report = new SalesReport(
            config('report.services') ?? ThisServer::url($request).'/report',
            config('report.scale'),
        );
        $concurrently = SalesReport::canRunConcurrently() && $mode !== 'sequential';
        $calls = $report->calls($only);
        $timeline = new Timeline();
        $answers = $report->run($calls, $timeline, $concurrently);
        $milliseconds = $timeline->now();

        $told = array_map(fn (Call $call): array => [
            'name' => $call->name,
            'kind' => $call->kind,
            'answer' => $answers[$call->name],
            'started' => $timeline->started($call),
            'finished' => $timeline->finished($call),
        ], $calls);
        $data = [
            'mode' => $concurrently ? 'concurrent' : 'sequential',
            'milliseconds' => $milliseconds,
            'cpu' => $timeline->cpu(),
            'report' => $answers,
            'calls' => $told,
            'events' => $timeline->events(),
        ];

        return $request->wantsJson()
            ? response()->json($data)
            : view('report', $data + ['possible' => SalesReport::canRunConcurrently()]);
    }
}
