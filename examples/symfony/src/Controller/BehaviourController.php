<?php

declare(strict_types=1);

namespace App\Controller;

use App\Behaviour\Traces;
use App\Entity\Member;
use Doctrine\ORM\EntityManagerInterface;
use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Bundle\SecurityBundle\DataCollector\SecurityDataCollector;
use Symfony\Component\DependencyInjection\Attribute\Autowire;
use Symfony\Component\HttpFoundation\JsonResponse;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\StreamedResponse;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\Attribute\Cache;
use Symfony\Component\HttpKernel\Profiler\Profiler;
use Symfony\Component\Routing\Attribute\Route;

/** Pages for trying out a server. */
final class BehaviourController extends AbstractController
{
    /** Writes the tag everywhere, waits, and says where something else is found. */
    #[Route('/behaviours', name: 'behaviours', methods: ['GET'])]
    public function behaviours(Request $request, Traces $traces): Response
    {
        $tag = $request->query->getAlnum('tag', 'me');
        $traces->leave($tag);
        $request->getSession()->set('tag', $tag);
        usleep(1000 * min(2000, $request->query->getInt('ms', 20)));
        $traces->look();

        return new JsonResponse(['tag' => $tag, 'pid' => getmypid(), 'differs' => $traces->differences($tag)]);
    }

    /** One query. */
    #[Route('/members', name: 'members', methods: ['GET'])]
    public function members(EntityManagerInterface $entities): Response
    {
        return $this->render('members.html.twig', ['members' => $entities->getRepository(Member::class)->findBy([], ['id' => 'ASC'], 10)]);
    }

    /** For shared caches: framework.http_cache keeps it in the environment "cached". */
    #[Route('/leaflet/{number}', name: 'leaflet', methods: ['GET'])]
    #[Cache(public: true, maxage: 600)]
    public function leaflet(int $number): Response
    {
        return new Response("Leaflet $number");
    }

    /** What the profiler has kept of a request, by the token in that answer's header. */
    #[Route('/profile/{token}', name: 'profile', methods: ['GET'], env: 'dev')]
    public function profile(#[Autowire(service: 'profiler')] ?Profiler $profiler, string $token): Response
    {
        $profile = $profiler?->loadProfile($token);
        $security = $profile?->getCollector('security');
        if ($profile === null || !$security instanceof SecurityDataCollector) {
            throw $this->createNotFoundException();
        }
        $authenticators = $security->getAuthenticators();

        return new JsonResponse([
            'url' => $profile->getUrl(),
            'user' => $security->getUser(),
            'authenticated' => array_column(is_array($authenticators) ? $authenticators : $authenticators->getValue(true), 'authenticated'),
            'decisions' => count($security->getAccessDecisionLog()),
            'listeners' => count($security->getListeners()),
        ]);
    }

    #[Route('/sleep', name: 'sleep', methods: ['GET'])]
    public function sleep(Request $request): Response
    {
        usleep(1000 * min(10_000, $request->query->getInt('ms', 1000)));

        return new JsonResponse(['pid' => getmypid()]);
    }

    #[Route('/stream', name: 'stream', methods: ['GET'])]
    public function pieces(): Response
    {
        return new StreamedResponse(static function (): void {
            foreach (range(1, 5) as $number) {
                echo "piece $number\n";
                flush();
                usleep(20_000);
            }
        }, headers: ['Content-Type' => 'text/plain']);
    }

    #[Route('/fail', name: 'fail', methods: ['GET'])]
    public function fail(): never
    {
        throw new \DomainException('as asked for');
    }
}
