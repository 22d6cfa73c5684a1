/* SPDX-License-Identifier: MIT
 *
 * The public header alone, as C++17: a module may be written in C++.
 */
#include <boardbench/module.h>

static int step(bb_context *ctx)
{
	ctx->host->count(ctx, 0, 1);
	return ctx->ending ? BB_FINISHED : BB_GO_ON;
}

int main()
{
	bb_module module{};
	module.abi = BB_ABI;
	module.struct_size = sizeof(module);
	module.step = step;
	return module.abi >> 16 == BB_ABI_MAJOR ? 0 : 1;
}
