// Does not compile.
int main() { return missing; }
