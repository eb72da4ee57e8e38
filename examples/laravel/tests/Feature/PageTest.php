<?php

declare(strict_types=1);

namespace Tests\Feature;

use App\Events\MessageSent;
use App\Models\Post;
use App\Models\User;
use Illuminate\Http\UploadedFile;
use Illuminate\Support\Facades\Event;
use Illuminate\Support\Facades\Storage;
use Tests\TestCase;

final class PageTest extends TestCase
{
    public function testHome(): void
    {
        $this->get('/')->assertOk()->assertSee('Fire 200 requests')->assertSee((string) getmypid());
    }

    public function testEveryPageNamesWeftAndLeadsToWhatItIs(): void
    {
        $this->get('/contact')->assertSee('href="'.route('home').'#weft"', false);
        $this->get('/')->assertSee('id="weft"', false);
    }

    public function testTheIconOfThePagesIsThere(): void
    {
        preg_match('/rel="icon"[^>]* href="([^"]+)"/', (string) $this->get('/')->getContent(), $icon);
        self::assertFileExists(public_path($icon[1] ?? 'none'));
    }

    public function testLoginAndLogout(): void
    {
        $user = User::factory()->create();
        Post::factory()->count(3)->for($user)->create();
        $this->get('/me')->assertRedirect('/login');

        $this->post('/login', ['email' => $user->email, 'password' => 'password'])->assertRedirect('/me');
        $this->assertAuthenticatedAs($user);
        $this->get('/me')->assertOk()->assertSee($user->email);
        $this->getJson('/me')->assertJson(['id' => $user->id, 'posts' => 3, 'looks' => 2]);

        $this->post('/logout')->assertRedirect('/');
        $this->assertGuest();
        $this->get('/')->assertSee('You are logged out.');
    }

    public function testAWrongPasswordIsRefused(): void
    {
        $user = User::factory()->create();
        $this->from('/login')->post('/login', ['email' => $user->email, 'password' => 'wrong'])
            ->assertRedirect('/login')
            ->assertSessionHasErrors('email');
        $this->assertGuest();
    }

    public function testAFormWithMistakesComesBackAsItWasTyped(): void
    {
        $this->from('/contact')->followingRedirects()
            ->post('/contact', ['name' => 'Ada', 'email' => 'nonsense', 'message' => 'short'])
            ->assertOk()
            ->assertSee('value="nonsense"', false)
            ->assertSee('The email field must be a valid email address.')
            ->assertSee('The message field must be at least 10 characters.');
    }

    public function testAFormWithoutMistakesFlashesThanks(): void
    {
        $this->followingRedirects()
            ->post('/contact', ['name' => 'Ada', 'email' => 'ada@example.com', 'message' => 'Long enough for this.'])
            ->assertSee('Thank you, Ada.');
        $this->get('/contact')->assertDontSee('Thank you, Ada.');
    }

    public function testUploadIsMeasuredStoredAndCanBeDownloaded(): void
    {
        Storage::fake();
        $content = random_bytes(2000);
        $received = $this->postJson('/upload', ['file' => UploadedFile::fake()->createWithContent('photo.bin', $content), 'note' => 'mine'])
            ->assertCreated()
            ->assertJson(['original' => 'photo.bin', 'size' => 2000, 'sha256' => hash('sha256', $content), 'note' => 'mine']);

        $name = $received->json('name');
        self::assertIsString($name);
        self::assertSame($content, $this->get('/uploads/'.$name)->assertOk()->assertDownload()->baseResponse->getFile()->getContent());
        $this->get('/uploads/nothing')->assertNotFound();
    }

    public function testTheChatIsForWhoIsLoggedIn(): void
    {
        config(['broadcasting.default' => 'reverb', 'broadcasting.connections.reverb.key' => 'the-key']);
        $this->get('/chat')->assertRedirect('/login');

        $this->actingAs(User::factory()->create(['name' => 'Ann']))->get('/chat')->assertOk();
        config(['broadcasting.default' => 'null']);
        $this->get('/chat')->assertOk()->assertSee('Nothing is broadcast');
    }

    public function testWhatIsSaidIsBroadcast(): void
    {
        Event::fake();
        $this->actingAs(User::factory()->create(['name' => 'Ann']));

        $this->postJson('/chat', ['text' => 'hello'])->assertNoContent();
        Event::assertDispatched(fn (MessageSent $event): bool => [$event->from, $event->text, (string) $event->broadcastOn()] === ['Ann', 'hello', 'presence-chat']);
        $this->postJson('/chat', ['text' => str_repeat('x', 501)])->assertUnprocessable();
    }

    public function testTheClockIsAStreamOfEvents(): void
    {
        $this->get('/clock')->assertOk()->assertSee('/clock/events', false);
        $this->get('/clock/events')->assertRedirect('/clock');
        $events = $this->get('/clock/events', ['Accept' => 'text/event-stream']);
        self::assertSame('text/event-stream; charset=utf-8', $events->headers->get('Content-Type'));
    }

    public function testPostsAsAStreamedDownload(): void
    {
        Post::factory()->count(2)->create();
        $csv = $this->get('/posts.csv')->assertDownload('posts.csv')->streamedContent();
        self::assertCount(3, explode("\n", trim($csv)));
        self::assertStringStartsWith('id,title,views', $csv);
    }

    public function testWorkThatRunsAfterTheResponse(): void
    {
        $this->getJson('/afterwards/k/leave')->assertExactJson(['left' => 'k', 'deferred' => null]);
        $this->getJson('/afterwards/k')->assertExactJson(['terminated' => 200, 'deferred' => 'done']);
    }

    public function testTrouble(): void
    {
        $this->get('/abort')->assertForbidden()->assertSee('Not for you.');
        $this->get('/abort?code=418')->assertStatus(418);
        $this->getJson('/exception')->assertStatus(500)->assertJson(['message' => 'The example went wrong on purpose.']);
    }
}
