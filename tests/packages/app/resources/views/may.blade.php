<html><body>@role('admin') admin @else no admin @endrole @can('edit 3') may edit 3 @endcan</body></html>
