import { type DetectedVerify, detected } from './detected-verify.ts';
import { mentions, type ProjectView } from './project-view.ts';

export function detectCargo(view: ProjectView): DetectedVerify | undefined {
  const manifest = view.text('Cargo.toml');
  if (manifest === undefined) return undefined;
  const manifests = view.files.filter((path) => /(?:^|\/)Cargo\.toml$/.test(path));
  const needsFetch = mentions(
    view,
    manifests,
    /^\[(?:target\..*\.)?(?:workspace\.|dev-|build-)?dependencies[\].]/m,
  );
  const scope = /^\[workspace\]/m.test(manifest) ? ' --workspace' : '';
  const tests = { command: `cargo test${scope}` };
  const setup = needsFetch ? { setup: `cargo fetch${view.has('Cargo.lock') ? ' --locked' : ''}` } : {};
  const measures = view.hasProgram('cargo-llvm-cov');
  return detected(
    'cargo',
    {
      ...setup,
      tests,
      ...(measures
        ? {
            coverage: {
              command: `cargo llvm-cov${scope} --lcov --output-path lcov.info`,
              report: 'lcov.info',
            },
          }
        : {}),
    },
    {
      notes: measures
        ? []
        : [
            'Coverage is not measured: cargo-llvm-cov is not installed here (`cargo install cargo-llvm-cov`).',
          ],
      alternatives: needsFetch ? [{ tests }] : [],
    },
  );
}
