export { withDefined } from '../../../enforcement/features/with-defined.ts';
