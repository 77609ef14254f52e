import { COMMANDS } from './harmless/commands.ts';
import { mustPass } from './harmless/harmless.ts';
import { TOOLS } from './harmless/tools.ts';

mustPass([...COMMANDS, ...TOOLS]);
