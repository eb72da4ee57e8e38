{{ $tag }}
