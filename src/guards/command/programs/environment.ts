import { looksLikePath } from '../resolve-path.ts';
import { isKnown } from '../words/field.ts';
import { type Call, loseTrack, runShellText, use } from './call.ts';

/** Variables whose value a program runs as a command. */
const RUN =
  /^(?:GIT_(?:EDITOR|PAGER|SEQUENCE_EDITOR|SSH_COMMAND|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND|SSH)|EDITOR|VISUAL|PAGER|MANPAGER|LESSOPEN|LESSCLOSE|PROMPT_COMMAND|SSH_ASKPASS|BROWSER)$/;
/** Variables that make a program load code. */
const LOADS =
  /^(?:BASH_ENV|ENV|LD_PRELOAD|LD_LIBRARY_PATH|LD_AUDIT|DYLD_INSERT_LIBRARIES|NODE_OPTIONS|NODE_PATH|PYTHONSTARTUP|PYTHONPATH|PYTHONHOME|PERL5OPT|PERL5LIB|RUBYOPT|RUBYLIB|PATH|GIT_CONFIG\w*|GIT_DIR|GIT_WORK_TREE|GIT_TEMPLATE_DIR|GIT_EXEC_PATH|MAKEFLAGS|MAKEFILES|npm_config_\w+|NPM_CONFIG_\w+|ZDOTDIR)$/;

/** Records what the assignments before a command make it do. */
export function useEnvironment(call: Call): void {
  for (const [name, value] of Object.entries(call.frame.environment)) {
    call.shell.findings.literal(value);
    if (RUN.test(name)) {
      if (isKnown(value)) runShellText(call, value);
      else loseTrack(call, `${name} is not known`);
    } else if (LOADS.test(name)) {
      call.shell.findings.unclear(`${name} changes what ${call.name} loads`);
    }
    for (const piece of value.split(/[\s:=,]+/, 50))
      if (looksLikePath(piece)) use(call, 'mention', { text: piece, glob: false });
  }
}
