import { GuardKitError } from '../../guardkit-error.ts';

const ENTITY_ID = /^[A-Za-z0-9][A-Za-z0-9._:@/#+-]*$/;
const MAX_LENGTH = 256;

export function isEntityId(text: string): boolean {
  return text.length <= MAX_LENGTH && ENTITY_ID.test(text);
}

export function assertEntityId(text: string): void {
  if (isEntityId(text)) return;
  throw new GuardKitError({
    code: 'entity.illegal-id',
    kind: 'input',
    message: `"${text.slice(0, 80)}" is not a legal entity id.`,
    hint: `An id is 1 to ${MAX_LENGTH} letters, digits and . _ : @ / # + - , and begins with a letter or digit.`,
  });
}
