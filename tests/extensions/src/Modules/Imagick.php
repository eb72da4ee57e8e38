<?php

declare(strict_types=1);

namespace Weft\ExtensionTests\Modules;

use ImagickPixel;
use Weft\ExtensionTests\Module;
use Weft\ExtensionTests\Servers;

/** Images of each visitor's own size and colour. */
final class Imagick implements Module
{
    public function name(): string
    {
        return 'imagick';
    }

    public function start(Servers $servers, int $visitors): array
    {
        return [];
    }

    public function visit(int $who, array $at): array
    {
        $image = new \Imagick();
        $image->newImage(10 + $who, 20 + $who, new ImagickPixel("rgb($who, 0, 0)"));
        $image->setImageFormat('ppm');
        $image->setImageProperty('visitor', "visitor $who");
        usleep(1000);
        $again = new \Imagick();
        $again->readImageBlob($image->getImageBlob());
        usleep(1000);
        $again->resizeImage(2 * $again->getImageWidth(), $again->getImageHeight(), \Imagick::FILTER_LANCZOS, 1);
        $seen = ['size' => [$again->getImageWidth(), $again->getImageHeight()], 'red' => $again->getImagePixelColor(1, 1)->getColor()['r']];
        $seen['property'] = $image->getImageProperty('visitor');
        try {
            (new \Imagick())->readImage("/none/of-$who.png");
        } catch (\ImagickException $problem) {
            $seen['error'] = str_contains($problem->getMessage(), "of-$who.png");
        }

        return $seen;
    }

    public function expected(int $who): array
    {
        return ['size' => [2 * (10 + $who), 20 + $who], 'red' => $who, 'property' => "visitor $who", 'error' => true];
    }
}
