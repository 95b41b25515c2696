/* SPDX-License-Identifier: Apache-2.0 */
/* AddressSanitizer ends a program in which another library was loaded before it, unless
 * it is told that this is meant. It asks for options by this name; a program that has
 * some of its own is asked first. */

__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "verify_asan_link_order=0";
}
