import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LANGUAGES, type LabelledPrompt, readLabelledPrompts, SETS, STYLES } from './labelled-prompts.ts';

describe.each(SETS)('the labelled prompts of the %s set', (set) => {
  const prompts = readLabelledPrompts(set);
  const corrections = prompts.filter((prompt) => prompt.correction);
  const ordinary = prompts.filter((prompt) => !prompt.correction);

  function bothLabels(of: (prompt: LabelledPrompt) => boolean, atLeast: number): boolean {
    return corrections.filter(of).length >= atLeast && ordinary.filter(of).length >= atLeast;
  }

  it('are at least 200, half of them corrections', () => {
    expect(prompts.length).toBeGreaterThanOrEqual(200);
    expect(corrections.length).toBe(ordinary.length);
  });

  it('have an id of their own that begins with their language', () => {
    expect(new Set(prompts.map((prompt) => prompt.id)).size).toBe(prompts.length);
    expect(prompts.filter((prompt) => !prompt.id.startsWith(`${prompt.language}-`))).toEqual([]);
  });

  it('are all read: every file of the folder belongs to a language', () => {
    const files = readdirSync(new URL(`./prompts/${set}/`, import.meta.url)).sort();
    expect(files).toEqual(LANGUAGES.map((language) => `${language}.jsonl`).sort());
  });

  it.each(LANGUAGES)('have at least five of each label in %s', (language) => {
    expect(bothLabels((prompt) => prompt.language === language, 5)).toBe(true);
  });

  it.each(STYLES)('have at least five of each label in the style %s', (style) => {
    expect(bothLabels((prompt) => prompt.style === style, 5)).toBe(true);
  });

  it.each(['interrupted', 'reverted', 'earlierPrompts'] as const)(
    'carry the signal %s with both labels, so that it alone decides nothing',
    (signal) => {
      expect(bothLabels((prompt) => prompt.signals?.[signal] !== undefined, 3)).toBe(true);
    },
  );

  it('are mostly English', () => {
    expect(prompts.filter((prompt) => prompt.language === 'en').length).toBeGreaterThan(prompts.length / 2);
  });

  it('hold no case twice, and the same words twice only with both labels', () => {
    const seen = new Set<string>();
    for (const { id, language, prompt, correction } of prompts) {
      const words = JSON.stringify([language, prompt.toLowerCase(), correction]);
      expect(seen.has(words), id).toBe(false);
      seen.add(words);
    }
  });

  it('restore only files that the agent had changed', () => {
    for (const { id, previous, signals } of prompts) {
      expect(previous.edited, id).toEqual(expect.arrayContaining(signals?.reverted ?? []));
    }
  });
});
