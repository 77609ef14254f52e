// Opens a store when told to, writes one episode and ends.
import { createInterface } from 'node:readline';
import { openPostgresStore } from '../../../src/store/postgres/open-postgres-store.ts';
import { note } from '../../contracts/inputs.ts';

const [, , url = '', name = ''] = process.argv;
process.stdout.write('ready\n');
const stdin = createInterface({ input: process.stdin });
await new Promise((resolve) => stdin.once('line', resolve));
stdin.close();
const store = await openPostgresStore({ url });
await store.upsert(note(name, 'text'));
await store.close();
