import { describe } from 'vitest';
import { THOROUGH } from '../support/thorough.ts';
import { COMMANDS } from './harmless/commands.ts';
import { EVERYDAY } from './harmless/everyday.ts';
import { mustPass } from './harmless/harmless.ts';
import { TOOLS } from './harmless/tools.ts';

const actions = [...COMMANDS, ...EVERYDAY, ...TOOLS];

describe('[GUARD-9] the red team', () =>
  mustPass(actions.filter((_, index) => THOROUGH || index % 12 === 0)));
