static const char *MOVES[] = {"3 2", "5 1", "6 1"};
#ifdef ONLINE_JUDGE
#define FLAGS "contest"
#else
#define FLAGS "own"
#endif
