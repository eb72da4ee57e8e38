<?php

/** @generate-class-entries */

namespace Weft\Isolation;

/**
 * A request has used a connection, or something like it, that was made during boot and that can't be given to each
 * request: all requests of all workers would share it. The message says what it is and where it was made.
 */
class HandleOfBootError extends \Error
{
}
