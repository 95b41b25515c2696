#include <stdio.h>
#include <stdlib.h>
int main(void) { puts(""); return abs(getchar()); }
