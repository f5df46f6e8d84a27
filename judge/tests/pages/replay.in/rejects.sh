echo 41; read x; read y; echo too small >&2; exit 1
