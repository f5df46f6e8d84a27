import search

search.main()
