import { tryAttacks } from './attack.ts';
import { EDITING_TOOLS } from './attacks/editing-tools.ts';
import { OBFUSCATION } from './attacks/obfuscation.ts';
import { SHELL_WRITES } from './attacks/shell-writes.ts';

tryAttacks({ 'editing tools': EDITING_TOOLS, 'shell writes': SHELL_WRITES, obfuscation: OBFUSCATION });
