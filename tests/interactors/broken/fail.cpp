// testlib style: it finds the input wrong, and exits with 3 (_fail) after the first query.

#if __has_include("testlib.h")
#include "testlib.h"
#else
#include "../include/testlib.h"
#endif

#include <iostream>

int main(int argc, char *argv[]) {
    registerInteraction(argc, argv);
    int n = inf.readInt();
    std::cout << n << std::endl;
    ouf.readToken();
    quitf(_fail, "the input has no second line");
}
