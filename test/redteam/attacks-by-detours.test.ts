import { describe } from 'vitest';
import { sample } from '../support/thorough.ts';
import { tryAttacks } from './attack.ts';
import { GIT } from './attacks/git.ts';
import { INDIRECTION } from './attacks/indirection.ts';
import { LINKS } from './attacks/links.ts';
import { ROUNDABOUT } from './attacks/roundabout.ts';

describe('[GUARD-8] the red team', () =>
  tryAttacks({
    indirection: sample(60, [...INDIRECTION, ...ROUNDABOUT]),
    git: sample(60, GIT),
    'links and mounts': sample(60, LINKS),
  }));
