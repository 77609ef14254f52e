import { describe } from 'vitest';
import { COMMANDS } from './harmless/commands.ts';
import { EVERYDAY } from './harmless/everyday.ts';
import { mustPass } from './harmless/harmless.ts';
import { TOOLS } from './harmless/tools.ts';

describe('[GUARD-9] the red team', () => mustPass([...COMMANDS, ...EVERYDAY, ...TOOLS]));
