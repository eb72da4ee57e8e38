<?php

declare(strict_types=1);

namespace Tests\Feature;

use Illuminate\Http\Client\Request;
use Illuminate\Support\Facades\Http;
use Tests\TestCase;

final class ReportTest extends TestCase
{
    private const FIGURES = [
        'Rate, USD' => 1.09, 'Rate, GBP' => 0.84, 'Rate, JPY' => 163.2, 'Prices, acme' => 1299, 'Prices, globex' => 1450,
        'Sales, north' => 41250, 'Sales, east' => 38900, 'Sales, south' => 52400, 'Sales, west' => 47150, 'Summary' => 179700,
    ];

    protected function setUp(): void
    {
        parent::setUp();
        config(['report.scale' => 0.0, 'report.services' => 'http://services.test/report']);
        // The services are routes of this application.
        Http::fake(fn (Request $request) => Http::response($this->getJson((string) parse_url($request->url(), PHP_URL_PATH))->json()));
    }

    public function testTheReportAsJson(): void
    {
        $report = $this->getJson('/report')->assertOk()->json();

        self::assertSame(self::FIGURES, $report['report']);
        self::assertSame(array_keys(self::FIGURES), array_column($report['calls'], 'name'));
        self::assertCount(20, $report['events']);
        Http::assertSentCount(5);
    }

    public function testAnUnknownPartIsRefused(): void
    {
        $this->getJson('/report?only=all')->assertStatus(400)->assertJsonPath('message', 'The parameter "only" is "http" or "database".');
        $this->getJson('/report?only[]=http')->assertStatus(400);
        $this->getJson('/report?only=http')->assertOk()->assertJsonCount(5, 'calls');
    }

    public function testInSequenceEachCallEndsBeforeTheNextBegins(): void
    {
        $report = $this->getJson('/report?mode=sequential')->assertOk()->json();

        self::assertSame('sequential', $report['mode']);
        self::assertSame(
            array_merge(...array_map(fn (string $name): array => ["$name started", "$name finished"], array_keys(self::FIGURES))),
            $report['events'],
        );
    }

    public function testTheReportAsAPage(): void
    {
        $this->get('/report?mode=sequential')->assertOk()
            ->assertSee('Ten answers, one after the other')
            ->assertSee('Sales, north')
            ->assertSee('179 700')
            ->assertSee('163.2');
        $this->get('/')->assertSee(route('report'));
    }

    public function testTheServicesKnowWhatTheReportAsksFor(): void
    {
        $this->getJson('/report/rates/USD')->assertExactJson(['currency' => 'USD', 'rate' => 1.09]);
        $this->getJson('/report/prices/acme')->assertExactJson(['partner' => 'acme', 'price' => 1299]);
        $this->getJson('/report/rates/XYZ')->assertNotFound();
    }
}
