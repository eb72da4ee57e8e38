<?php

declare(strict_types=1);

namespace Tests\Feature;

use App\Models\Post;
use App\Models\PostView;
use App\Models\User;
use Illuminate\Support\Facades\DB;
use PHPUnit\Framework\Attributes\DataProvider;
use Tests\TestCase;

final class EndpointTest extends TestCase
{
    public function testHelloNeedsNoDatabase(): void
    {
        $this->getJson('/hello')->assertOk()->assertExactJson(['message' => 'Hello']);
    }

    public function testTestWaitsForTheDatabase(): void
    {
        $this->getJson('/test')->assertOk()->assertExactJson(['ok' => true]);
    }

    public function testSleepSleepsAsLongAsAsked(): void
    {
        $reply = $this->getJson('/sleep?ms=30')->assertOk()->assertJson(['slept' => 30, 'pid' => getmypid()]);
        self::assertGreaterThanOrEqual($reply->json('started') + 0.03, $reply->json('finished'));
    }

    #[DataProvider('addressesThatCannotBeMeant')]
    public function testWhatCannotBeMeantIsRefusedWithTheReason(string $address, string $message): void
    {
        $this->get($address)->assertStatus(400)->assertExactJson(['message' => $message]);
    }

    /** @return list<array{string, string}> */
    public static function addressesThatCannotBeMeant(): array
    {
        $word = 'The parameter "tag" is 1 to 100 letters, digits, dots, hyphens or underscores.';
        $number = fn (string $name, int $least, int $most): string => "The parameter \"$name\" is a whole number from $least to $most.";

        return [
            ['/isolation?tag[]=x', $word],
            ['/isolation?tag=%ff', $word],
            ['/isolation?tag=%00', $word],
            ['/isolation?tag='.str_repeat('x', 101), $word],
            ['/sleep?ms=99999999999999999999', $number('ms', 0, 60000)],
            ['/sleep?ms=60001', $number('ms', 0, 60000)],
            ['/sleep?ms=-1', $number('ms', 0, 60000)],
            ['/sleep?ms[]=1', $number('ms', 0, 60000)],
            ['/sleep?ms=soon', $number('ms', 0, 60000)],
            ['/bench?n=0', $number('n', 1, 10)],
            ['/posts.csv?rows=-1', $number('rows', 0, 1000)],
            ['/posts.csv?ms=1001', $number('ms', 0, 1000)],
            ['/abort?code=99', $number('code', 400, 599)],
            ['/report?mode=fast', 'The parameter "mode" is "concurrent" or "sequential".'],
            ['/report?only[]=http', 'The parameter "only" is "http" or "database".'],
        ];
    }

    #[DataProvider('pathsThatLeadNowhere')]
    public function testAPathThatCannotBeMeantIsNotFound(string $path): void
    {
        $this->get($path)->assertNotFound();
    }

    /** @return list<array{string}> */
    public static function pathsThatLeadNowhere(): array
    {
        return [['/uploads/..'], ['/uploads/%00'], ['/uploads/%07.txt'], ['/uploads/missing.txt'], ['/afterwards/%20'],
            ['/afterwards/'.str_repeat('k', 101)], ['/report/rates/XXX'], ['/report/prices/nobody']];
    }

    public function testBenchMakesTenQueries(): void
    {
        $this->seedFromOne();
        $this->expectsDatabaseQueryCount(10);

        $this->getJson('/bench')
            ->assertOk()
            ->assertJsonCount(10, 'posts')
            ->assertJsonCount(5, 'top_posts')
            ->assertJsonCount(5, 'most_active')
            ->assertJsonCount(5, 'author_posts')
            ->assertJsonCount(10, 'latest_views')
            ->assertJsonPath('totals.posts', 1000);
    }

    public function testBenchWithFiveQueries(): void
    {
        $this->seedFromOne();
        $this->expectsDatabaseQueryCount(5);

        $this->getJson('/bench?n=5')->assertOk()->assertJsonMissingPath('top_posts');
    }

    public function testBenchCountsAView(): void
    {
        $this->seedFromOne();
        $clicks = (int) Post::query()->sum('views');

        $this->getJson('/bench')->assertOk();

        self::assertSame(1001, PostView::query()->count());
        self::assertSame($clicks + 1, (int) Post::query()->sum('views'));
    }

    public function testConnectionsAreCounted(): void
    {
        $this->getJson('/debug/connections')
            ->assertOk()
            ->assertJsonPath('maximum', 400)
            ->assertJsonStructure(['active', 'idle', 'total', 'by_state']);
    }

    public function testABrowserGetsPagesAndAScriptGetsData(): void
    {
        $browser = ['Accept' => 'text/html,application/xhtml+xml,*/*;q=0.8'];
        $script = ['Accept' => '*/*'];

        $this->get('/waterfall', $browser)->assertRedirect(route('home').'#run');
        $this->get('/debug/connections', $browser)->assertOk()->assertSee('Pools of this worker')->assertSee('The server allows');
        $this->get('/debug/connections', $script)->assertOk()->assertJsonPath('maximum', 400);
    }

    public function testIsolationFindsNothingWhenNobodyElseIsThere(): void
    {
        $_GET['tag'] = 'one';
        $this->getJson('/isolation?tag=one')->assertOk()->assertJson(['tag' => 'one', 'previous' => null, 'differs' => []]);
        $_GET['tag'] = 'two';
        $this->getJson('/isolation?tag=two')->assertOk()->assertJson(['tag' => 'two', 'previous' => 'one']);
        unset($_GET['tag']);
    }

    public function testTheSeederMakesWhatTheRoutesExpect(): void
    {
        $this->seed();
        self::assertSame([100, 1000, 1000], [User::query()->count(), Post::query()->count(), PostView::query()->count()]);
    }

    /** /bench picks people by their number: a rolled-back test must not have used up the first hundred. */
    private function seedFromOne(): void
    {
        DB::statement('ALTER SEQUENCE users_id_seq RESTART');
        $this->seed();
    }
}
