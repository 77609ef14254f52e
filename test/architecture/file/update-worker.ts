// Adds nodes to the graph of a project, one update each, and reports each: `update-worker ROOT HOME NAME COUNT`.
import { LocalGraphFile } from '../../../src/architecture/file/local-graph-file.ts';
import { knowledgeUpdate } from '../../../src/architecture/update/knowledge-update.ts';

const [root = '', home = '', name = '', count = '0'] = process.argv.slice(2);
const file = new LocalGraphFile(root, { home });
process.stdout.write('ready\n');
for (let number = 1; number <= Number(count); number++) {
  const result = await knowledgeUpdate(
    {
      operation: 'add_node',
      name: `${name}-${number}`,
      type: 'component',
      level: 'implementation',
      status: 'current',
      description: `Made by ${name}`,
    },
    file,
  );
  if (!result.ok || !result.written) throw new Error(JSON.stringify(result));
  process.stdout.write(`${name}-${number}\n`);
}
