import { tryLock } from '../../src/platform/processes/process-lock.ts';

const lock = tryLock(process.argv[2] ?? '');
process.stdout.write(lock ? 'locked\n' : 'refused\n');
setInterval(() => {}, 1000);
