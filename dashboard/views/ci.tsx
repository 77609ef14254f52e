import type { CiReport } from '../../src/interfaces/dashboard/report/ci-report-schema.ts';
import { plural } from '../format.ts';
import { Badge, Empty, Section } from '../parts/basics.tsx';
import { GateTable } from '../parts/gates.tsx';
import { short } from '../printable.ts';

/** The result of `guardkit ci` on a branch. */
export function CiView({ result }: { result: CiReport }) {
  const { outcome, head, base, base_is, sandbox, gates, claims, findings } = result;
  return (
    <>
      <h1 class="hidden">Branch</h1>
      <div class={`verdict ${outcome === 'pass' ? 'good' : 'bad'}`}>
        <div>
          <strong>
            {outcome === 'pass'
              ? 'Every required gate passes on this commit.'
              : 'A required gate does not pass on this commit.'}
          </strong>
          <p class="quiet">
            <code>{head.slice(0, 12)}</code>, judged by the rules of <code>{base.slice(0, 12)}</code> (
            {short(base_is, 200)});{' '}
            {sandbox === null ? 'without a sandbox' : `sandbox: ${short(sandbox, 80)}`}
          </p>
        </div>
      </div>
      <Section title="Branch">
        <div class="scroll panel flat">
          <GateTable gates={gates} />
        </div>
      </Section>
      {claims.map((claim) => (
        <Section
          key={claim.id ?? ''}
          title={claim.id === null ? 'The project’s own checks' : `${claim.id} ${short(claim.title, 200)}`}
        >
          <p>
            <Badge word={claim.outcome} /> {claim.tested && <Badge word="tested" />}
          </p>
          <div class="scroll panel flat">
            <GateTable gates={claim.gates} />
          </div>
          <ul class="plain-list">
            {claim.criteria.map(({ id, text, tests }) => (
              <li key={id}>
                {short(text, 400)}{' '}
                <span class="quiet">{tests.length > 0 && plural(tests.length, 'test')}</span>
              </li>
            ))}
          </ul>
        </Section>
      ))}
      <Section title="Findings" count={findings.length}>
        {findings.length === 0 ? (
          <Empty>None.</Empty>
        ) : (
          <ul class="lines">
            {findings.slice(0, 500).map((one) => (
              <li key={`${one.gate} ${one.path} ${one.line} ${one.message}`}>
                <Badge word={one.level} />
                <span class="grow">{short(one.message, 500)}</span>
                {one.path !== undefined && (
                  <span class="path">
                    {short(one.path, 200)}
                    {one.line !== undefined && `:${one.line}`}
                  </span>
                )}
              </li>
            ))}
          </ul>
        )}
        {findings.length > 500 && <Empty>… and {plural(findings.length - 500, 'more', 'more')}.</Empty>}
      </Section>
    </>
  );
}
