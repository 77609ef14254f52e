export { cleanText, cutText, oneLine } from '../../domain/clean-text.ts';
