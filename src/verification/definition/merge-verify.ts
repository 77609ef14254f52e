import type { CheckConfig, VerifyConfig } from '../../config/project/verify-config.ts';

/** A later, narrower definition adds to an earlier one and replaces what it names again. */
export function mergeVerify(layers: readonly (VerifyConfig | undefined)[]): VerifyConfig {
  return layers.reduce<VerifyConfig>((merged, layer) => (layer ? overlay(merged, layer) : merged), {});
}

function overlay(below: VerifyConfig, above: VerifyConfig): VerifyConfig {
  const checks = mergeChecks(below.checks ?? [], above.checks ?? []);
  const env = { ...below.env, ...above.env };
  const passed = [...new Set([...(below.pass_env ?? []), ...(above.pass_env ?? [])])];
  const coverage = { ...below.coverage, ...above.coverage };
  return {
    ...below,
    ...above,
    ...(below.env || above.env ? { env } : {}),
    ...(passed.length > 0 ? { pass_env: passed } : {}),
    ...(below.coverage || above.coverage ? { coverage } : {}),
    ...(checks.length > 0 ? { checks } : {}),
  };
}

function mergeChecks(below: readonly CheckConfig[], above: readonly CheckConfig[]): CheckConfig[] {
  const named = new Map([...below, ...above].map((check) => [check.name, check]));
  return [...named.values()];
}
