'use strict';
const { realpathSync } = require('node:fs');

/** The file that Node runs. nyc before version 15 starts programs through a script of its own. */
function startedScript() {
  const [, first = '', second = ''] = process.argv;
  const script = /[\\/]\.node-spawn-wrap-[^\\/]+[\\/]/.test(first) ? second : first;
  return realPath(script) ?? realPath(`${script}.js`) ?? script;
}

/** Undefined without a file: the argument may lack its extension, or be inside an archive (Yarn PnP). */
function realPath(path) {
  try {
    return realpathSync(path);
  } catch {
    // Safe: the path is then used as written.
    return undefined;
  }
}

module.exports = { startedScript };
