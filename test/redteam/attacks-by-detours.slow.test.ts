import { describe } from 'vitest';
import { tryAttacks } from './attack.ts';
import { GIT } from './attacks/git.ts';
import { INDIRECTION } from './attacks/indirection.ts';
import { LINKS } from './attacks/links.ts';
import { ROUNDABOUT } from './attacks/roundabout.ts';

describe('[GUARD-8] the red team', () =>
  tryAttacks({ indirection: [...INDIRECTION, ...ROUNDABOUT], git: GIT, 'links and mounts': LINKS }));
