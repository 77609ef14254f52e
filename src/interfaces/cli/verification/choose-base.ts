import { realpathSync } from 'node:fs';
import { headBeforeAgents } from '../../../enforcement/actions/sessions.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { baseOfFeature } from '../../../verification/definition/base-of-feature.ts';
import { type Base, type BaseChooser, findBase } from '../../../verification/definition/find-base.ts';
import type { VerificationContext } from '../../../verification/open-verification.ts';
import type { CliContext } from '../program/cli-command.ts';
import { withProvenance } from './with-provenance.ts';

export interface ChosenBase {
  /** Where definitions are read. */
  definitions: Base;
  /** The commit that a feature's work is judged against; its `rules` may differ from the commit of `definitions`. */
  forFeature(featureId: string): Promise<Base>;
}

/** A person's --base wins. Anybody else may only name one from before the feature's work began. */
export async function chooseBase(
  context: CliContext,
  ground: VerificationContext,
  asked: string | undefined,
  by: BaseChooser,
): Promise<ChosenBase> {
  const { repository, project } = ground;
  const ledger = await context.ledger();
  const named = await withProvenance(context, ground);
  const beforeAgents = headBeforeAgents({ ledger, checkout: realpathSync(repository.root) });
  const ofFeature = (fork: Base, featureId: string) =>
    baseOfFeature({ repository, ledger, project, featureId, fork, beforeAgents });
  if (asked === undefined) {
    const isHead = named.commit === (await repository.commit('HEAD'));
    // On main nothing but provenance tells a person's rules from those that came with the work.
    const keepsRules = by !== 'person' && isHead && !named.provenance;
    return {
      definitions: named,
      async forFeature(featureId) {
        const own = await ofFeature(named, featureId);
        return keepsRules ? { ...own, rules: own.commit } : own;
      },
    };
  }
  const usual = by === 'person' ? undefined : await usualBase(context, ground);
  if (!usual) return { definitions: named, forFeature: async () => named };
  // Where agents were at work, an older base must not bring back older rules.
  const definitions = usual.provenance ? usual : named;
  return {
    definitions,
    async forFeature(featureId) {
      const own = await ofFeature(usual, featureId);
      const { exitCode } = await repository.attempt([
        'merge-base',
        '--is-ancestor',
        named.commit,
        own.commit,
      ]);
      if (exitCode !== 0) throw afterBeginning(asked, featureId, own);
      return { ...named, rules: definitions.commit, provenance: definitions.provenance };
    },
  };
}

/** Undefined where a shallow clone does not have it: then only what was named is known. */
async function usualBase(context: CliContext, ground: VerificationContext): Promise<Base | undefined> {
  try {
    return await withProvenance(context, {
      ...ground,
      base: await findBase(ground.repository, undefined),
    });
  } catch (error) {
    if (error instanceof GuardKitError && error.code === 'base.no-fork-point') return undefined;
    throw error;
  }
}

function afterBeginning(asked: string, featureId: string, own: Base): GuardKitError {
  return new GuardKitError({
    code: 'base.after-beginning',
    kind: 'refused',
    message: `--base "${asked.slice(0, 100)}" is after ${own.commit.slice(0, 10)} (${own.why}), so that part of the work on ${featureId} would not be judged.`,
    hint: 'Run the command without --base; a person at a terminal may name any commit.',
  });
}
