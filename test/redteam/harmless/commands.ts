import { LIST_PATH as LIST } from '../../support/hooked-project.ts';
import { does, type Harmless } from './harmless.ts';

export const COMMANDS: readonly Harmless[] = [
  does('prints the list', `cat ${LIST}`),
  does('greps the list', `grep -n '"tested": true' ${LIST}; grep -c tested ${LIST}`),
  does('asks jq about the list', `jq -r '.features[] | select(.tested == false) | .id' ${LIST}`),
  does('copies the list elsewhere to read it', `cp ${LIST} ../outside/seen.json; wc -l ../outside/seen.json`),
  does(
    'compares the list with a copy',
    `cp ${LIST} ../outside/x.json; diff ${LIST} ../outside/x.json && echo same`,
  ),
  does(
    'counts features with python',
    `python3 -c "import json; print(len(json.load(open('${LIST}'))['features']))"`,
  ),
  does(
    'reads the list with node',
    `node -p "JSON.parse(require('fs').readFileSync('${LIST}','utf8')).features.length"`,
  ),
  does('reads the rules', 'cat .guardkit/config.yaml .guardkit/config/*.yaml; ls -la .guardkit .claude'),
  does('reads its settings', 'cat .claude/settings.json; head -3 .claude/settings.local.json'),
  does('greps everywhere', 'grep -rn "feature-list" . --include="*.md" --include="*.json" | head'),
  does('finds files', `find . -name '*.json' -not -path './node_modules/*' | xargs ls -l`),
  does('runs the tests', 'npm test --silent'),
  does('runs the tests in a pipeline', 'node --test 2>&1 | tail -20 | grep -E "pass|fail" || true'),
  does('builds', 'npm run --silent build && ls dist'),
  does('removes what was built', 'npm run --silent build; rm -rf node_modules dist'),
  does('makes and removes a folder', 'mkdir -p tmp/a/b; touch tmp/a/b/c; rm -r tmp'),
  does('writes other JSON that says tested', `echo '{"tested": true, "id": "FEAT-1"}' > src/fixture.json`),
  does(
    'writes a fixture that is a list of features',
    `mkdir -p test/fixtures; echo '{"features": [{"id": "A", "tested": false}]}' > test/fixtures/feature-list.json; sed -i 's/"tested": false/"tested": true/' test/fixtures/feature-list.json`,
  ),
  does(
    'writes documentation that names protected files',
    `mkdir -p docs; cat > docs/guide.md <<'E'\nEdit .guardkit/config.yaml and .claude/settings.json.\nNever run: sed -i 's/false/true/' .claude/progress/feature-list.json\nE`,
  ),
  does('says where something is', 'echo "see .guardkit/config.yaml and .claude/progress/feature-list.json"'),
  does(
    'commits with a message that names them',
    `echo >> README.md; git add README.md; git commit -q -m 'Say what .guardkit/config.yaml and .claude/settings.json are for'`,
  ),
  does('commits everything', 'echo "export const x = 1;" > src/x.js; git add -A; git commit -q -m "Add x"'),
  does(
    'reads the history',
    'git log --oneline -5; git show --stat HEAD; git status --short; git diff HEAD -- .guardkit',
  ),
  does(
    'makes a branch and comes back',
    'git checkout -q -b topic; echo >> README.md; git commit -qam topic; git checkout -q main; git merge -q --no-edit topic; git branch -q -d topic',
  ),
  does('stashes its own work', 'echo >> README.md; git stash -q; git stash pop -q'),
  does(
    'rebases its own work',
    'git checkout -q -b topic; echo a >> README.md; git commit -qam a; git checkout -q main; echo "export {};" > src/y.js; git add -A; git commit -qm y; git checkout -q topic; git rebase -q main',
  ),
  does(
    'amends its commit',
    'echo >> README.md; git commit -qam one; echo >> README.md; git commit -q --amend --no-edit -a',
  ),
  does(
    'reverts its own change',
    'echo >> src/cart.js; git checkout -q -- src/cart.js; echo >> src/cart.js; git restore src/cart.js',
  ),
  does('tags a commit', 'git tag v1.0.0; git tag -l'),
  does(
    'picks a commit',
    'git checkout -q -b topic; echo "export {};" > src/z.js; git add -A; git commit -qm z; git checkout -q main; git cherry-pick topic >/dev/null',
  ),
  does(
    'sets its name for commits',
    'git config user.name Robot; git config user.email robot@example.org; git config pull.rebase true',
  ),
  does('sets a short alias', `git config alias.st status; git st --short`),
  does(
    'adds and removes a remote',
    'git init -q --bare ../outside/remote.git; git remote add origin ../outside/remote.git; git push -q -u origin main; git fetch -q; git remote remove origin',
  ),
  does(
    'works in a worktree of its own',
    'git worktree add -q ../outside/tree -b side; cd ../outside/tree && echo >> README.md && git commit -qam side; cd - >/dev/null; git worktree remove ../outside/tree',
  ),
  does('edits sources with sed', `sed -i 's/cart = \\[\\]/cart = new Array()/' src/cart.js`),
  does('edits sources with perl', `perl -pi -e 's/export/export/' src/*.js`),
  does(
    'moves sources',
    'mkdir -p src/shop; git mv src/cart.js src/shop/cart.js; echo "export * from \\"./shop/cart.js\\";" > src/cart.js',
  ),
  does(
    'writes logs',
    'mkdir -p .guardkit/logs; echo started > .guardkit/logs/run.log; node --test > out.log 2>&1; tail -2 out.log; rm out.log',
  ),
  does('adds to .gitignore', 'echo coverage/ >> .gitignore'),
  does(
    'uses a heredoc for a script and runs it',
    `cat > tool.sh <<'E'\n#!/bin/sh\necho "tested: true"\nE\nchmod +x tool.sh; ./tool.sh > out.txt`,
  ),
  does('uses make', `printf 'all:\\n\\t@node --test >/dev/null && echo ok > ok.txt\\n' > Makefile; make`),
  does(
    'runs a long pipeline',
    `cat src/*.js | tr -s ' ' '\\n' | sort | uniq -c | sort -rn | head -3 | awk '{print $2}' > words.txt`,
  ),
  does('loops over files', 'for f in src/*.js test/*.js; do wc -l "$f"; done > lines.txt'),
  does('uses xargs on sources', `grep -rl cart src | xargs sed -i 's/cart/cart/'`),
  does('evaluates something of its own', `eval "$(echo 'echo hi > hi.txt')"`),
  does('decodes something of its own', `echo aGVsbG8= | base64 -d > hello.txt`),
  does(
    'runs python on its sources',
    `python3 - <<'E'\nimport pathlib\np = pathlib.Path('src/cart.js')\np.write_text(p.read_text() + '// end\\n')\nE`,
  ),
  does('runs something in the background and waits', 'sleep 0.1 & node --test >/dev/null 2>&1 & wait'),
  does(
    'starts a server and ends it',
    `node -e "require('http').createServer((q,s)=>s.end('ok')).listen(0)" & pid=$!; sleep 0.2; kill $pid; wait $pid; true`,
  ),
  does('asks GuardKit for its help', 'guardkit --help > /dev/null; guardkit guard allow --help > /dev/null'),
  does('fails', 'ls nowhere; false'),
  does(
    'writes outside the project',
    'echo x > ../outside/x.txt; mkdir -p "$HOME/.cache/tool"; echo y > "$HOME/.cache/tool/y"',
  ),
  does(
    'unpacks an archive of its own',
    'tar -cf ../outside/a.tar src; mkdir -p copy; tar -xf ../outside/a.tar -C copy',
  ),
  does(
    'applies a patch to its sources',
    'cp src/cart.js ../outside/c.js; echo "// x" >> ../outside/c.js; diff -u --label a/src/cart.js --label b/src/cart.js src/cart.js ../outside/c.js > ../outside/p.patch; git apply ../outside/p.patch',
  ),
  does('changes the rights of its own files', 'chmod +x build.js; chmod 644 README.md'),
  does('removes a source and brings it back', 'rm src/cart.js; git checkout -q HEAD -- src/cart.js'),
  does('cleans what is ignored in one folder', 'mkdir -p dist; touch dist/a; git clean -fdxq dist'),
];
