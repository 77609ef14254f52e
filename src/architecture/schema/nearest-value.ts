import { nearestWord } from '../../domain/nearest-word.ts';
import { type KnowledgeSchema, legalValues } from './knowledge-schema.ts';

/** Words that agents write instead of the legal ones, which no count of letters would find. */
const SYNONYMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  type: {
    component: 'service module library package class subsystem server app application layer worker',
    interface: 'api protocol contract endpoint port',
    abstraction: 'concept model entity domain type',
    datastore: 'database db store storage cache queue table bucket',
    external: 'third-party thirdparty third_party vendor saas dependency',
    pattern: 'convention practice approach idiom',
    rule: 'constraint policy guideline principle requirement standard decision',
  },
  level: {
    architecture: 'application app system design arch high high-level architectural conceptual domain',
    implementation: 'code impl low low-level detail module technical',
  },
  status: {
    current: 'active live existing stable implemented done enabled present in-use production',
    future: 'planned proposed upcoming todo wip draft next in-progress in_progress',
    deprecated: 'obsolete retired removed sunset disabled inactive',
    legacy: 'old historical outdated',
  },
  priority: {
    critical: 'blocker urgent must p0 mandatory required',
    high: 'important major should p1',
    medium: 'normal moderate default p2',
    low: 'minor optional trivial nice-to-have could p3',
  },
  relation: {
    uses: 'depends_on depends-on depends requires needs imports has contains reads writes stores_in',
    calls: 'invokes requests sends_to triggers queries',
    implements: 'extends realizes realises provides conforms_to inherits',
    configured_with: 'configured_by configures config configured-with',
    must_follow: 'follows complies_with adheres_to governed_by must-follow',
    must_not_use: 'avoids forbids prohibits must_not must-not-use not_use',
    superseded_by: 'replaced_by deprecated_by replaced-by',
    supersedes: 'replaces deprecates obsoletes',
    coexists_with: 'relates_to related_to works_with alongside coexists associated_with',
  },
};

const BY_WORD = new Map(
  Object.entries(SYNONYMS).flatMap(([field, legal]) =>
    Object.entries(legal).flatMap(([value, words]) =>
      words.split(' ').map((word) => [`${field} ${word}`, value] as const),
    ),
  ),
);

/** The legal value that was probably meant; undefined if there is no telling. */
export function nearestValue(schema: KnowledgeSchema, field: string, found: string): string | undefined {
  const legal = legalValues(schema, field) ?? [];
  const word = found.trim().toLowerCase();
  const same = legal.find((value) => value === word || value === word.replaceAll(/[ -]/g, '_'));
  const synonym = BY_WORD.get(`${field} ${word}`) ?? BY_WORD.get(`${field} ${word.replaceAll(' ', '_')}`);
  return same ?? (synonym !== undefined && legal.includes(synonym) ? synonym : nearestWord(word, legal));
}
