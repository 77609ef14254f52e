import { describe } from 'vitest';
import { sample } from '../support/thorough.ts';
import { COMMANDS } from './harmless/commands.ts';
import { EVERYDAY } from './harmless/everyday.ts';
import { mustPass } from './harmless/harmless.ts';
import { TOOLS } from './harmless/tools.ts';

const actions = [...COMMANDS, ...EVERYDAY, ...TOOLS];

describe('[GUARD-9] the red team', () => mustPass(sample(24, actions)));
