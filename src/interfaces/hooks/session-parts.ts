export { followSession } from '../../orchestration/in-agent/follow-session.ts';
export { learnFromHook } from './learn-from-hook.ts';
export { noteCorrection } from './note-correction.ts';
export { recallForSession } from './recall-for-session.ts';
