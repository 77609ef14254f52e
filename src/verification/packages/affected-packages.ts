/** A package of the repository, with the names of all packages that its files use. */
export interface UsedPackage {
  name: string;
  /** Relative to the root. */
  folder: string;
  uses: ReadonlySet<string>;
}

/** Documents and settings of editors, which no package reads. */
const WITHOUT_EFFECT =
  /(?:^|\/)(?:README|CHANGELOG|LICENSE|CONTRIBUTING)[^/]*$|^\.(?:vscode|idea|github|changeset)\//i;

/**
 * The packages that a change can affect: those it touches, and those that use them, directly or not. Undefined means all:
 * a file outside every package can affect any of them.
 */
export function affectedPackages(
  packages: readonly UsedPackage[],
  changed: readonly string[],
): string[] | undefined {
  const affected = new Set<string>();
  for (const path of changed.filter((one) => !WITHOUT_EFFECT.test(one))) {
    const owner = packages
      .filter(({ folder }) => path.startsWith(`${folder}/`))
      .sort((a, b) => b.folder.length - a.folder.length)[0];
    if (!owner) return undefined;
    affected.add(owner.name);
  }
  for (let before = -1; before !== affected.size; ) {
    before = affected.size;
    for (const { name, uses } of packages) if ([...uses].some((one) => affected.has(one))) affected.add(name);
  }
  return packages.map(({ name }) => name).filter((name) => affected.has(name));
}
