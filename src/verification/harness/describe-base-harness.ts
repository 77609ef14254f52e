import type { VerificationWorkspace } from '../workspaces/verification-workspace.ts';
import { type DescribeOptions, describeHarness } from './describe-harness.ts';
import type { HarnessPart } from './harness-part.ts';

/** A build asks for the same base in every turn; more than a few at once nobody has. */
const MAX_KNOWN = 8;
const known = new Map<string, HarnessPart[]>();

/** What commands run through on the base: described once, since a tree never changes. */
export async function describeBaseHarness(
  workspace: VerificationWorkspace,
  tree: string,
  commit: string,
  commands: readonly string[],
  options: DescribeOptions,
): Promise<HarnessPart[]> {
  // What a set-up left lies beside the tree and is described with it.
  const key = JSON.stringify([tree, commands, options, workspace.keptWith(tree)]);
  const found = known.get(key);
  if (found) return found;
  await workspace.place(tree, commit);
  const described = await describeHarness(workspace.folder, commands, options);
  const oldest = known.keys().next();
  if (known.size >= MAX_KNOWN && !oldest.done) known.delete(oldest.value);
  known.set(key, described);
  return described;
}
