read x; read y; exit 0
