import { VERSION } from './version.ts';

const [first] = process.argv.slice(2);
if (first === '--version' || first === '-V') {
  process.stdout.write(`${VERSION}\n`);
}
