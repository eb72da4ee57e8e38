<?php

declare(strict_types=1);

namespace App\Controller;

use App\Entity\Entry;
use App\Form\EntryType;
use App\Message\Stamp;
use Doctrine\ORM\EntityManagerInterface;
use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\Messenger\MessageBusInterface;
use Symfony\Component\Routing\Attribute\Route;
use Symfony\Component\Security\Http\Authentication\AuthenticationUtils;

final class PageController extends AbstractController
{
    #[Route('/', name: 'home', methods: ['GET'])]
    public function home(): Response
    {
        return $this->render('home.html.twig');
    }

    #[Route('/hello', name: 'hello', methods: ['GET'])]
    public function hello(): Response
    {
        return new Response('Hello');
    }

    #[Route('/locale/{_locale}', name: 'locale', requirements: ['_locale' => 'en|de|fr'], methods: ['GET'])]
    public function locale(Request $request): Response
    {
        $request->getSession()->set('locale', $request->getLocale());

        return $this->redirectToRoute('home');
    }

    #[Route('/guestbook/{room}', name: 'guestbook', requirements: ['room' => '[a-z0-9-]{1,40}'], defaults: ['room' => 'hall'], methods: ['GET', 'POST'])]
    public function guestbook(Request $request, EntityManagerInterface $entities, MessageBusInterface $bus, string $room): Response
    {
        $entry = new Entry($room);
        $form = $this->createForm(EntryType::class, $entry);
        $form->handleRequest($request);
        if ($form->isSubmitted() && $form->isValid()) {
            $entities->persist($entry);
            $entities->flush();
            $bus->dispatch(new Stamp((int) $entry->id));
            $this->addFlash('notice', 'entry.thanks');

            return $this->redirectToRoute('guestbook', ['room' => $room], Response::HTTP_SEE_OTHER);
        }

        return $this->render('guestbook.html.twig', [
            'room' => $room,
            'entries' => $entities->getRepository(Entry::class)->findBy(['room' => $room], ['id' => 'DESC'], 20),
            'form' => $form,
        ]);
    }

    #[Route('/login', name: 'login', methods: ['GET', 'POST'])]
    public function login(AuthenticationUtils $authentication): Response
    {
        return $this->render('login.html.twig', [
            'name' => $authentication->getLastUsername(),
            'error' => $authentication->getLastAuthenticationError(),
        ]);
    }

    #[Route('/logout', name: 'logout', methods: ['GET'])]
    public function logout(): never
    {
        throw new \LogicException('The firewall answers this.');
    }

    #[Route('/admin', name: 'admin', methods: ['GET'])]
    public function admin(): Response
    {
        return $this->render('admin.html.twig');
    }

    #[Route('/api/me', name: 'me', methods: ['GET'])]
    public function me(): Response
    {
        return $this->json(['name' => $this->getUser()?->getUserIdentifier(), 'keeper' => $this->isGranted('ROLE_KEEPER')]);
    }
}
