/* SPDX-License-Identifier: Apache-2.0 */
/* AddressSanitizer ends a program if another library was loaded before it, unless an
 * option allows that. It calls a function of this name for its options; one that the
 * program defines comes first. */

__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "verify_asan_link_order=0";
}
